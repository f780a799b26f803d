import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { serveMaven } from '../../../shared/ecosystems/maven/gate/serve-maven.ts';
import { serveNpm } from '../../../shared/ecosystems/npm/gate/serve-npm.ts';
import { servePypi } from '../../../shared/ecosystems/pypi/gate/serve-pypi.ts';
import { renumberVersion } from '../../../shared/storage/catalogue/sequence-numbers.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { findPack } from '../../../shared/storage/packs/find-pack.ts';
import { indexVersions } from '../../../shared/use-cases/catalogue/index-versions.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine } from '../../support/engine.ts';
import { histories } from '../../support/histories.ts';
import { openReviewStream } from '../../support/review-stream.ts';
import { makeNoise } from './approved-packages.ts';

vi.mock('../../../shared/storage/packs/find-pack.ts', { spy: true });

const deadline = { remainingMs: () => 60_000 };
const origin = 'https://registry.example.com';
const before = Date.now() - 60 * 60_000;
const second = 1000;

const numbers = Array.from({ length: 9 }, (_, at) => `1.${at}.0`);
/** Versions of four packages. The first may do without the second; the name of the third has two spellings. */
const versions: readonly PackageId[] = [
  ...numbers.map((version) => ({ ecosystem: 'npm', name: 'lib', version }) as const),
  ...['1.0.0', '2.0.0'].map((version) => ({ ecosystem: 'npm', name: 'native', version }) as const),
  ...numbers.map((version, at) => {
    return { ecosystem: 'pypi', name: at % 2 ? 'Py.Lib' : 'py-lib', version } as const;
  }),
  ...['1.0', '1.1-SNAPSHOT', '2.0'].map((version) => {
    return { ecosystem: 'maven', name: 'org.acme:lib', version } as const;
  }),
];

/** Content that hardly compresses, so that a few versions fill a head, and many several segments. */
const makeManifest = ({ ecosystem, name, version }: PackageId, content: number): Manifest => {
  const filler = makeNoise(`${name} ${version} ${content}`, 900);
  if (ecosystem === 'maven') {
    return { kind: 'maven', files: [{ name: 'lib.jar', checksums: {} }], parents: [], boms: [] };
  }
  if (ecosystem === 'pypi') {
    const hashes = { sha256: makeNoise(filler, 32) };
    const file = { filename: `lib-${version}.tar.gz`, url: `${origin}/${content}`, hashes };
    return { kind: 'pypi', files: [{ ...file, 'requires-python': filler, yanked: content === 2 }] };
  }
  const dist = { tarball: `${origin}/${content}`, integrity: 'sha512-AAAA' };
  const optionalDependencies = { native: content === 1 ? '^1.0.0' : '^2.0.0', never: '*' };
  return { kind: 'npm', version: { name, version, dist, filler, optionalDependencies } };
};

interface Action {
  readonly version: number;
  readonly what:
    | 'submit'
    | 'learn'
    | 'approve'
    | 'end'
    | 'reject'
    | 'expire'
    | 'renumber'
    | 'index';
  readonly content: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  version: fc.nat({ max: versions.length - 1 }),
  what: fc.constantFrom(
    ...(['learn', 'approve', 'approve', 'approve', 'end', 'reject', 'expire'] as const),
    ...(['renumber', 'index', 'index'] as const),
  ),
  content: fc.integer({ min: 1, max: 3 }),
});

/** Does what the registry may refuse. */
const attempt = async (work: Promise<unknown>): Promise<void> => {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error;
  }
};

const learn = (id: PackageId, content: number, now: Date): Promise<void> => {
  const published_at = new Date(before - content * 1e6).toISOString();
  const facts = { ...noFacts, found: 'yes', reason: null, published_at } as const;
  const context = { now, policy: defaultScanPolicy, everyHours: 168, deadline };
  return saveFacts(id, { facts, manifest: makeManifest(id, content) }, context);
};

const decide = (id: PackageId, { what }: Action, now: Date): Promise<unknown> =>
  decidePackage(
    id,
    {
      ...{ to: what === 'reject' ? 'rejected' : 'approved', by: 'ana', reason: 'a test' },
      ...(what === 'end' && { expires_at: new Date(now.getTime() + 3 * second).toISOString() }),
    },
    { ...writeContext(), now },
  );

const renumber = async (id: PackageId): Promise<void> => {
  const item = await findVersion(id);
  if (item) await renumberVersion(item, writeContext());
};

const act = async (one: Action, now: Date): Promise<void> => {
  const id = versions[one.version] ?? versions[0];
  if (!id) return;
  if (one.what === 'learn') await attempt(learn(id, one.content, now));
  else if (one.what === 'expire') await runDueWork({ now, deadline });
  else if (one.what === 'renumber') await renumber(id);
  else await attempt(decide(id, one, now));
};

const files = { origin, isSpread: true, places: [] };
const inquiries = { isScanning: true, isCollectingFacts: true };

type Answer = { readonly text: string; readonly state: string | undefined };

const describeAnswer = async (answer: Promise<object>): Promise<Answer> => {
  try {
    const { document, state } = Object(await answer);
    return { text: JSON.stringify(document), state };
  } catch (error) {
    return { text: String(error), state: undefined };
  }
};

/** Asks for the lists of all packages. */
const askAll = async (now: Date, freeze: object | undefined): Promise<Answer[]> => {
  const context = { base: 'https://gate.example.com', files, own: [], inquiries, now };
  const moment = { ...context, freeze: freeze as never };
  const path = 'org/acme/lib/maven-metadata.xml';
  const answers: Answer[] = [];
  for (const ask of [
    () => serveNpm('lib', moment),
    () => serveNpm('native', moment),
    () => servePypi('simple/py-lib/', moment),
    () => serveMaven(path, { ...moment, passesPlugins: false }),
  ]) {
    answers.push(await describeAnswer(ask()));
  }
  return answers;
};

const freeze = {
  ...{ before: new Date(before - 1.5e6).toISOString(), since: new Date(before).toISOString() },
  ...{ reason: 'a test', by: 'ana', token_label: null },
};

const equal = (is: string | undefined, must: string | undefined, what: string): void => {
  if (is !== must) throw new Error(`${what}\n  is      ${is}\n  must be ${must}`);
};

/** Most versions of the first package in a list that packs alone decide. */
let mostFromPack = 0;

/** Compares all lists with those that are made without packs. `seen` has the text of each state. */
const checkLists = async (
  now: Date,
  seen: Map<string, string>,
  frozen?: typeof freeze,
): Promise<void> => {
  const fast = await askAll(now, frozen);
  vi.mocked(findPack).mockResolvedValue(undefined);
  const slow = await askAll(now, frozen);
  vi.mocked(findPack).mockReset();
  for (const [at, { text, state }] of fast.entries()) {
    equal(text, slow[at]?.text, `list ${at}`);
    if (state === undefined) continue;
    if (at === 0) mostFromPack = Math.max(mostFromPack, text.split('"tarball"').length - 1);
    equal(text, seen.get(state) ?? text, `list ${at} in a known state`);
    seen.set(state, text);
  }
};

it('lists from packs are those without packs, whatever was decided, and however late and often the worker runs', async () => {
  const history = fc.asyncProperty(
    fc.array(action, { minLength: 25, maxLength: 60 }),
    async (actions) => {
      const engine = await startEngine();
      try {
        const readStream = await openReviewStream(engine);
        for (const id of versions) await submitPackage(id, writeContext());
        for (const id of versions) await learn(id, 1, new Date(before));
        const seen = new Map<string, string>();
        const all: Awaited<ReturnType<typeof readStream>> = [];
        for (const [at, one] of actions.entries()) {
          const now = new Date(before + at * second);
          if (one.what !== 'index') {
            await act(one, now);
            continue;
          }
          await checkLists(now, seen);
          const Records = await readStream();
          all.push(...Records);
          // Two workers at once, and one with old records.
          const half = Math.ceil(Records.length / 2);
          const late = all.slice(0, one.content * 3);
          await Promise.all(
            [Records.slice(half), Records.slice(0, half), late].map((some) =>
              indexVersions({ Records: some }, deadline),
            ),
          );
          await checkLists(now, seen);
          if (one.content === 2) await checkLists(now, seen, freeze);
          if (one.content === 3) await checkLists(new Date(now.getTime() + 3 * second), seen);
        }
      } finally {
        await engine.close();
      }
    },
  );

  await fc.assert(history, { numRuns: histories(8), seed: 1, endOnFailure: true });

  // So many versions do not fit into a head.
  expect(mostFromPack).toBeGreaterThan(3);
});

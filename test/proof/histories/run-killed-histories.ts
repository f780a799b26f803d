/** Histories over sockets: the rig kills the registry during writes, and its services fail. */
import { setTimeout as delay } from 'node:timers/promises';
import { EventPage, type RegistryEvent } from '../../../shared/api/schemas/event.ts';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { listRecords, type RecordItem } from '../../../shared/storage/decisions/records.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { findFlaws } from '../../storage/events/find-flaws.ts';
import { startOriginServer } from '../../support/origin-server.ts';
import { type OsvFault, type OsvServer, startOsvServer } from '../../support/osv-server.ts';
import { drawFault, type Fault, quick } from '../rig/faults.ts';
import { type LocalRun, startLocalRun } from '../rig/local-run.ts';
import { createPart } from '../rig/seeds.ts';
import { canary, tokenList, tokens } from '../rig/tokens.ts';
import { judgeHistory } from './judge.ts';
import { startHistory } from './make-history.ts';
import { keyOf } from './versions.ts';

export interface KilledHistory {
  readonly violations: readonly string[];
  readonly requests: number;
  readonly kills: number;
}

const osvFaults: readonly OsvFault[] = [
  { kind: 'status', status: 503 },
  { kind: 'reset' },
  { kind: 'body', body: 'no JSON' },
];

const clients = 5;

/** The size of one history. */
interface KilledSize {
  readonly kills: number;
  readonly stepsOfEach: number;
}

const usualSize: KilledSize = { kills: 2, stepsOfEach: 12 };

const disturbEngine = ({ proxy }: LocalRun, seed: number): void => {
  const random = createPart(seed, 'calls');
  proxy.disturb({ choose: () => drawFault(random, quick) });
};

/** Kills the registry at random moments of the seed. The next one starts without faults. */
const killSometimes = async (run: LocalRun, seed: number, kills: number): Promise<void> => {
  const random = createPart(seed, 'kills');
  for (let kill = 0; kill < kills; kill += 1) {
    await delay(200 + random.below(1500));
    run.proxy.disturb({});
    await run.kill();
    disturbEngine(run, seed + kill);
  }
};

/** Repeats a check until it finds no problem; resolves to the remaining problems. */
const settle = async (find: () => Promise<string[]>): Promise<string[]> => {
  const patienceMs = 45_000;
  const end = performance.now() + patienceMs;
  for (;;) {
    const wrong = await find();
    if (wrong.length === 0 || performance.now() > end) return wrong;
    await delay(300);
  }
};

const listEvents = async ({ send }: LocalRun): Promise<RegistryEvent[]> => {
  const events: RegistryEvent[] = [];
  for (let after = 0; ; ) {
    const { text } = await send({ method: 'GET', target: `/api/v1/events?after=${after}` });
    const page = EventPage.parse(JSON.parse(text));
    if (page.events.length === 0) return events;
    events.push(...page.events);
    after = page.next;
  }
};

/** Events in the order of their commits, which is known for each version. */
const listAllRecords = async (versions: readonly PackageId[]): Promise<RecordItem[]> => {
  const ofEach = await Promise.all(
    versions.map(async (id) => {
      const newestFirst = await listRecords(id, { count: 1000 });
      return newestFirst.toReversed().map((record) => ({ ...record, package_key: keyOf(id) }));
    }),
  );
  return ofEach.flat();
};

/** Returns the problems in the results of workers. */
const findUnsettled = async (run: LocalRun, versions: readonly PackageId[]): Promise<string[]> => {
  const flaws = findFlaws(await listAllRecords(versions), await listEvents(run));
  if (flaws.length > 0) return flaws.map((flaw) => `events: ${flaw}`);
  const { done, found, examples } = await checkIntegrity(IntegrityReport.parse({}), defaultLayout, {
    remainingMs: () => 60_000,
  });
  const wrong = Object.entries(found).filter(([, count]) => count > 0);
  const problems = wrong.map(
    ([kind, count]) => `the integrity check finds ${count} ${kind}: ${examples}`,
  );
  return done ? problems : [...problems, 'the integrity check did not come to an end'];
};

/** Starts a registry and its services with faults, for several histories in turn. */
export const startKilling = async (assembly: string, firstSeed: number) => {
  const osv: OsvServer = await startOsvServer();
  const origin = await startOriginServer();
  const run = await startLocalRun({
    ...{ assembly, secretValue: tokenList, canary, failedSecrets: 10, seed: firstSeed },
    neighbours: { osvUrl: osv.url, originUrl: origin.url },
  });
  const versions: PackageId[] = [];

  const runHistory = async (
    seed: number,
    { kills, stepsOfEach }: KilledSize = usualSize,
  ): Promise<KilledHistory> => {
    let requests = 0;
    const send: typeof run.send = (ask) => {
      requests += 1;
      return run.send(ask);
    };
    const options = { seed, send, token: tokens.all, clients, stepsOfEach, isScanning: true };
    const history = startHistory(options);
    versions.push(...history.versions);
    osv.fail(createPart(seed, 'osv').pick(osvFaults), { times: 3 });
    for (const { ecosystem, name } of history.versions) {
      const gone = { act: (response: { destroy(): void }) => response.destroy() };
      const path = `/${ecosystem}/${encodeURIComponent(name)}`;
      origin.serve(path, { status: 503 }, gone, { status: 404 });
    }
    disturbEngine(run, seed);
    await Promise.all([history.run(), killSometimes(run, seed, kills)]);
    run.proxy.disturb({});
    await history.look();
    const random = createPart(seed, 'judge');
    const violations = await judgeHistory(history.record, history.versions, { random, send });
    return { violations, requests, kills };
  };

  return {
    runHistory,
    befallen: run.proxy.befallen satisfies ReadonlyMap<Fault, number>,
    /** Returns the problems after all workers had time to finish. */
    settle: async (): Promise<string[]> => {
      osv.recover();
      const leaks = run.leaks.map((line) => `a token is in the log: ${line}`);
      return [...leaks, ...(await settle(() => findUnsettled(run, versions)))];
    },
    close: async (): Promise<void> => {
      await run.close();
      await osv.close();
      await origin.close();
    },
  };
};

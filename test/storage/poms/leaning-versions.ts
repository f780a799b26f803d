import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { MavenFile, MavenPom } from '../../../shared/domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { listPoms } from '../../../shared/storage/poms/list-poms.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { digestAll } from '../../../shared/util/checksums.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { readReviews } from '../../use-cases/vulnerability-index/accepted-registry.ts';

const deadline = { remainingMs: () => 60_000 };

export const maven = (artifact: string, version = '1.0') =>
  ({ ecosystem: 'maven', name: `org.acme:${artifact}`, version }) as const satisfies PackageId;

/** A POM that others lean on, as it was read: by its coordinates and what stands in it. */
export const makePom = (coordinates: string, content = coordinates): MavenPom => ({
  coordinates,
  checksums: digestAll(Buffer.from(content)),
});

interface Published {
  readonly files?: readonly MavenFile[];
  readonly parents?: readonly MavenPom[];
  readonly boms?: readonly MavenPom[];
}

/** Keeps what the origin says of a version. */
export const learn = (
  id: PackageId,
  { files = [], parents = [], boms = [] }: Published,
): Promise<void> => {
  const published_at = '2024-01-01T00:00:00.000Z';
  const facts = { ...noFacts, found: 'yes', reason: null, published_at } as const;
  const manifest = { kind: 'maven', files, parents, boms } as const;
  const context = { now: new Date(), policy: defaultScanPolicy, everyHours: 168, deadline };
  return saveFacts(id, { facts, manifest }, context);
};

export const approve = (id: PackageId, expires_at?: string) =>
  decidePackage(
    id,
    { to: 'approved', by: 'ana', reason: 'a test', ...(expires_at && { expires_at }) },
    writeContext(),
  );

export const reject = (id: PackageId) =>
  decidePackage(id, { to: 'rejected', by: 'ana', reason: 'no more' }, writeContext());

/** A version that is approved, and pinned to what its origin says. */
export const publish = async (id: PackageId, published: Published): Promise<void> => {
  await submitPackage(id, writeContext());
  await learn(id, published);
  await approve(id);
};

/** Has the stream tell of a version. */
export const tell = (id: PackageId): Promise<void> => listPoms(toVersionKey(id), { deadline });

export const readPomRows = async (): Promise<StoredItem[]> =>
  (await readReviews()).filter(({ v }) => String(v).startsWith('#pom#'));

/** A version, and the POMs that it leans on. */
export type Leaning = readonly [PackageId, readonly MavenPom[]];

/** The rows that versions are to have. */
export const expectRows = (...leaning: readonly Leaning[]): StoredItem[] =>
  leaning
    .flatMap(([id, poms]) =>
      poms.map(({ coordinates, checksums }) => ({
        ...{ v: `#pom#${coordinates}`, k: toVersionKey(id) },
        checksums,
      })),
    )
    .sort((a, b) => `${a.v} ${a.k}`.localeCompare(`${b.v} ${b.k}`));

export const sortRows = (rows: readonly StoredItem[]): StoredItem[] =>
  rows.toSorted((a, b) => `${a['v']} ${a['k']}`.localeCompare(`${b['v']} ${b['k']}`));

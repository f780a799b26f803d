import { Facts } from '../../../shared/api/schemas/facts.ts';
import type { CollectedRelease } from '../../../shared/domain/facts/collected-facts.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { ReleaseDetails } from '../../../shared/domain/facts/release-details.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import {
  type ScanResult,
  toScanResult,
} from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { ownTool } from '../../../shared/domain/vulnerabilities/scanned-ecosystems.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { recordSnapshot } from '../../../shared/use-cases/projects/record-snapshot.ts';
import { recallVersion } from '../../../shared/use-cases/recalls/recall-version.ts';
import { commentPackage } from '../../../shared/use-cases/review/comment-package.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import type { ReviewContext } from '../../../shared/use-cases/review/review-context.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { saveOwnScan, saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import type { Deadline } from '../../../shared/util/deadline.ts';
import { hourMs } from '../../../shared/util/duration.ts';
import { originAddresses } from '../../origin-addresses.ts';
import {
  type DemoFacts,
  type DemoPackage,
  demoFacts,
  demoPackages,
  demoProjects,
  demoScans,
} from './data.ts';

/**
 * Loads the demo data with the code that the functions run, and prints the number of versions. The program needs the
 * environment of a function: names of tables and the address of DynamoDB.
 */

/** The default of the setting. */
const factsHours = 168;

const deadline: Deadline = { remainingMs: () => 10_000 };

const catalogue = { layout: defaultLayout, shard: 0 };

const contextAt = (now: Date): ReviewContext => ({
  actor: { label: 'demo', fingerprint: null },
  now,
  catalogue,
  deadline,
  remember: () => [],
});

const scansById = new Map(demoScans.map((scan) => [toVersionKey(scan.id), scan]));

const factsById = new Map(demoFacts.map((demo) => [toVersionKey(demo.id), demo]));

const makeManifest = (
  { name, version }: PackageId,
  { integrity, release }: Pick<DemoFacts, 'integrity' | 'release'>,
): Manifest | null => {
  if (integrity === undefined) return null;
  const tarball = `${originAddresses().npm}${name}/-/${name}-${version}.tgz`;
  const { dependencies, engines, unpackedSize, fileCount } = release ?? {};
  const dist = { integrity, tarball, ...(release && { unpackedSize, fileCount }) };
  const record = { name, version, dist, ...(release && { dependencies, engines }) };
  return { kind: 'npm', version: record };
};

/** The details of each demo version with a release. The publisher is unknown. */
const details: ReleaseDetails = {
  ...{ described: true, trusted_publisher: null, install_scripts: [] },
};

const makeFacts = ({ facts }: DemoFacts): CollectedRelease['facts'] => {
  const [license_statement = null] = facts.licenses_declared ?? [];
  return Facts.parse({
    ...noFacts,
    ...{ name_found: true, reason: null },
    ...(license_statement && { license_statement, license_declaration: 'readable' }),
    ...facts,
  });
};

const makeRelease = (version: PackageId, metadata: DemoFacts): CollectedRelease => ({
  facts: makeFacts(metadata),
  manifest: makeManifest(version, metadata),
  ...(metadata.release && { details }),
});

/** Returns the version that upstream published before one, as a comparison needs it. */
const makeEarlier = (id: PackageId, { earlier, ...metadata }: DemoFacts) => {
  if (!earlier) return undefined;
  const { version, published_at, ...release } = earlier;
  const facts = { ...metadata.facts, published_at };
  return { version, ...makeRelease({ ...id, version }, { ...metadata, ...release, facts }) };
};

/** Saves upstream metadata of a version. */
const saveMetadata = async (version: PackageId, now: Date): Promise<void> => {
  const metadata = factsById.get(toVersionKey(version));
  if (!metadata) return;
  const earlier = makeEarlier(version, metadata);
  const collected = { ...makeRelease(version, metadata), ...(earlier && { earlier }) };
  const rules = { policy: defaultScanPolicy, everyHours: factsHours };
  await saveFacts(version, collected, { now, deadline, ...rules });
};

const makeScan = (version: PackageId, now: Date): ScanResult | undefined => {
  const scan = scansById.get(toVersionKey(version));
  if (!scan) return undefined;
  const finished = { tools: scan.tools, findings: scan.vulnerabilities };
  return toScanResult(scan.id, finished, { policy: defaultScanPolicy, now });
};

/** Saves the scans of a version, as CI would have uploaded them or the registry made them. */
const saveScans = async (version: PackageId, scan: ScanResult, now: Date): Promise<void> => {
  const actor = { label: 'ci', fingerprint: null };
  const context = { actor, now, deadline, policy: defaultScanPolicy };
  for (const tool of scan.tools_used) {
    const found = { ...scan, tools_used: [tool] };
    if (tool === ownTool) await saveOwnScan(version, found, context);
    else await saveScan(version, found, context);
  }
};

const askQuestion = async (
  { ecosystem, name, version }: PackageId,
  { by, text }: NonNullable<DemoPackage['question']>,
  now: Date,
): Promise<void> => {
  const actor = { label: by, fingerprint: null };
  const context = { actor, now, deadline, remember: () => [] };
  await commentPackage({ ecosystem, name, version }, { text, question: true }, context);
};

/**
 * Loads one submission for each of the last hours, with a scan 15 minutes later, and a decision or a question 30 minutes
 * later. The scans of approved versions that failed come after their decisions, as recalls do.
 */
const loadPackage = async (
  { submission, decision, question, recall }: DemoPackage,
  age: number,
): Promise<void> => {
  const submittedAt = Date.now() - age * hourMs;
  const after = (quarters: number): Date => new Date(submittedAt + (quarters * hourMs) / 4);
  await submitPackage(submission, contextAt(after(0)));
  await saveMetadata(submission, after(1));
  const scan = makeScan(submission, after(1));
  const isFoundLater = decision?.to === 'approved' && scan?.status === 'failed';
  if (scan && !isFoundLater) await saveScans(submission, scan, after(1));
  if (decision) await decidePackage(submission, decision, contextAt(after(2)));
  if (question) await askQuestion(submission, question, after(2));
  const later = isFoundLater && makeScan(submission, after(3));
  if (later) await saveScans(submission, later, after(3));
  if (recall) {
    const cause = { ...recall, signalAt: after(3).toISOString() };
    const context = { now: after(3), deadline, catalogue, scanPolicy: defaultScanPolicy };
    await recallVersion(submission, cause, context);
  }
};

for (const [at, demoPackage] of demoPackages.entries()) {
  await loadPackage(demoPackage, demoPackages.length - at);
}
for (const { project, ...request } of demoProjects) {
  await recordSnapshot(project, request, contextAt(new Date()));
}
console.log(demoPackages.length);

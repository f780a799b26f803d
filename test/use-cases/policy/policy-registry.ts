import type { CollectedRelease } from '../../../shared/domain/facts/collected-facts.ts';
import type { Facts } from '../../../shared/domain/facts/facts.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { CheckedProvenance } from '../../../shared/domain/facts/provenance.ts';
import type { ReleaseDetails } from '../../../shared/domain/facts/release-details.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { PolicyRule } from '../../../shared/domain/policy/rule.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import type { Rating } from '../../../shared/domain/vulnerabilities/severity.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decideLicense } from '../../../shared/use-cases/licensing/decide-license.ts';
import { applyPolicy, type PolicyContext } from '../../../shared/use-cases/policy/apply-policy.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { saveOwnScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { checked } from '../../support/checked-provenance.ts';
import { enoughTime, npm } from '../vulnerability-index/accepted-registry.ts';

const dayMs = 24 * 60 * 60_000;

export const id = npm('left-pad');

export const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);

export const submit = (one: PackageId = id, license: string | null = null, label?: string) =>
  submitPackage(
    { ...one, license },
    { ...writeContext(), actor: { label: label ?? null, fingerprint: null } },
  );

/** What the origin says of a package that declares a license. */
export const declares = (text: string): Partial<Facts> => ({
  ...{ license: text, licenses_declared: [text] },
  ...{ license_declaration: 'readable', license_statement: text },
});

/** Metadata of a version that is there, as old as most and declares no license, unless something else is given. */
const toFacts = (some: Partial<Facts>): Facts => ({
  ...noFacts,
  found: 'yes',
  reason: null,
  license_declaration: 'none',
  published_at: inDays(-100).toISOString(),
  ...some,
});

const factsContext = (now: Date) => ({
  ...{ now, policy: defaultScanPolicy, everyHours: 168, deadline: enoughTime },
});

/** Saves what the origin says of a version. */
export const learn = (some: Partial<Facts> = {}, one: PackageId = id, now = new Date()) =>
  saveFacts(one, { facts: toFacts(some), manifest: null }, factsContext(now));

/** Collects metadata of the version, with a result of the check of its provenance. */
export const learnProvenance = (some: Partial<CheckedProvenance>) =>
  saveFacts(
    id,
    { facts: toFacts({}), manifest: null, provenance: checked(some) },
    factsContext(new Date()),
  );

/** Metadata of a version, and of what npm knows of its publication. */
interface UpstreamVersion {
  readonly facts?: Partial<Facts>;
  readonly details?: Partial<ReleaseDetails>;
  readonly publications?: CollectedRelease['publications'];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const toCollected = (
  version: string,
  { facts = {}, details, dependencies, publications }: UpstreamVersion,
) => ({
  facts: toFacts({ ...declares('MIT'), ...facts }),
  manifest: { kind: 'npm', version: { name: id.name, version, dependencies } } as const,
  details: { described: true, ...details },
  ...(publications && { publications }),
});

/** Saves what the origin says of a version, and of the one that it published before: `0.9.0`. */
export const learnChange = (
  before: UpstreamVersion,
  after: UpstreamVersion,
  firstPublished: string | null = null,
) =>
  saveFacts(
    id,
    {
      ...toCollected(id.version, after),
      earlier: { ...toCollected('0.9.0', before), version: '0.9.0' },
    },
    {
      ...factsContext(new Date()),
      deadline: { remainingMs: () => 100_000 },
      findFirstPublication: async () => firstPublished,
    },
  );

/** Has the organisation reject a license; all others are unreviewed. */
export const rejectLicense = (name: string) =>
  decideLicense(name, { status: 'rejected' }, { ...writeContext(), remember: () => [] });

/** Keeps what the registry's own scan finds: nothing, unless something is given. */
export const scanItself = (
  severity?: Rating,
  one: PackageId = id,
  found = 'CVE-2026-1',
  now = new Date(),
) => {
  const context = { now, policy: defaultScanPolicy };
  const findings = severity ? [toFinding({ id: found, severity })] : [];
  const result = toScanResult(one, { tools: ['osv.dev'], findings }, context);
  return saveOwnScan(one, result, { ...context, deadline: enoughTime });
};

export const rule = (name: string, some: Partial<PolicyRule> = {}): PolicyRule => ({
  name,
  when: { scan: ['passed'], found: ['yes'] },
  then: 'approve',
  ...some,
});

export const context = (
  rules: readonly PolicyRule[],
  some: Partial<PolicyContext> = {},
): PolicyContext => ({
  policy: { rules },
  rules: {},
  inquiries: { isScanning: true, isCollectingFacts: true },
  deadline: enoughTime,
  catalogue: writeContext().catalogue,
  now: new Date(),
  ...some,
});

/** Applies some rules to a version, as the worker does when the stream wakes it. */
export const apply = (
  rules: readonly PolicyRule[] = [rule('clean')],
  some: Partial<PolicyContext> = {},
  one: PackageId = id,
) => applyPolicy(one, context(rules, some));

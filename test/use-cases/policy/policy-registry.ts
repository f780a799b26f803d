import type { Facts } from '../../../shared/domain/facts/facts.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
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

/** Keeps what the origin says: that it is there, as old as most and declares no license, unless something else is given. */
export const learn = (some: Partial<Facts> = {}, one: PackageId = id, now = new Date()) =>
  saveFacts(
    one,
    {
      facts: {
        ...noFacts,
        found: 'yes',
        reason: null,
        license_declaration: 'none',
        published_at: inDays(-100).toISOString(),
        ...some,
      },
      manifest: null,
    },
    { now, policy: defaultScanPolicy, everyHours: 168, deadline: enoughTime },
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

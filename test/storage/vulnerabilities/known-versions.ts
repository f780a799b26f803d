import { anonymous } from '../../../shared/domain/tokens/actor.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { severities } from '../../../shared/domain/vulnerabilities/severity.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';
import type { Random } from '../../support/random.ts';
import type { KnownVersion, KnownVulnerability } from './oracle.ts';

export const submitKnown = async (name: string): Promise<KnownVersion> => {
  const id = { ecosystem: 'npm', name, version: '1.0.0' } as const;
  await submitPackage({ ...id, license: 'MIT' }, writeContext());
  return { ...id, status: 'pending', has: [] };
};

/** Has a scan find this in a version, and nothing else. */
export const scanKnown = async (
  version: KnownVersion,
  has: readonly KnownVulnerability[],
): Promise<KnownVersion> => {
  const findings = has.map(({ id, aliases, severity, known_exploited, isHarmless }) =>
    toFinding({
      id,
      aliases,
      severity: severity === 'unrated' ? null : severity,
      knownExploited: known_exploited,
      notAffecting: isHarmless ? { by: 'a-scanner', reason: 'It is never called' } : null,
      summary: `What ${id} is`,
    }),
  );
  const now = new Date();
  const scan = { tools: ['a-scanner'], findings };
  const result = toScanResult(version, scan, { policy: defaultScanPolicy, now });
  await saveScan(version, result, { ...scanContext(), actor: anonymous });
  return { ...version, has };
};

export const decideKnown = async (
  version: KnownVersion,
  to: 'approved' | 'rejected',
): Promise<KnownVersion> => {
  if (version.status === to) return version;
  await decidePackage(version, { to, by: 'ana', reason: 'a test', override: true }, writeContext());
  return { ...version, status: to };
};

/** Some vulnerabilities, of few, so that versions share them; each is known by another id at times. */
export const inventHas = (random: Random): KnownVulnerability[] =>
  [1, 2, 3, 4]
    .filter(() => random.below(2) === 0)
    .map((number) => {
      const names = [`CVE-2026-000${number}`, `GHSA-aaaa-bbbb-000${number}`];
      const ids = random.below(3) === 0 ? names.slice(1) : names;
      const [id = '', ...aliases] = ids;
      return {
        ...{ id, aliases },
        severity: random.pick(severities),
        known_exploited: random.below(4) === 0,
        isHarmless: random.below(5) === 0,
      };
    });

import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';
import type { ScanResult } from '../../../shared/api/schemas/scan.ts';
import { foldId } from '../../../shared/domain/vulnerabilities/merge-vulnerabilities.ts';
import { formatSeverityCounts } from '../../../shared/domain/vulnerabilities/severity-counts.ts';

/** One value in the evidence of an approval, and today. */
export interface ComparedValue {
  readonly what: string;
  readonly then: string;
  readonly now: string;
}

type ApprovalEvidence = NonNullable<HistoryEntry['evidence']>;
type Vulnerability = ScanResult['vulnerabilities'][number];

const notKnown = 'not known';

const describeBoolean = (value: boolean | null): string => {
  if (value === null) return notKnown;
  return value ? 'yes' : 'no';
};

const describeText = (text: string | null): string => (text === null ? 'no' : `yes: ${text}`);

/** Returns the numbers of open vulnerabilities. A missing or failed scan without findings shows no absence of vulnerabilities. */
const describeOpen = ({
  status,
  severity,
}: Pick<ScanResult, 'severity'> & { readonly status: string }): string => {
  if (status === 'missing') return notKnown;
  return formatSeverityCounts(severity) || (status === 'error' ? notKnown : 'none');
};

const countAccepted = (scan: ScanResult): string =>
  String(scan.vulnerabilities.filter(({ accepted }) => accepted !== null).length);

const compareScans = (
  { merged_scan: then }: ApprovalEvidence,
  { scan: now }: VersionEvidence,
): ComparedValue[] => {
  return [
    { what: 'Scan status', then: then.status, now: now?.status ?? 'missing' },
    {
      what: 'Open vulnerabilities',
      then: describeOpen(then),
      now: now ? describeOpen(now) : notKnown,
    },
    {
      what: 'Accepted vulnerabilities',
      then: String(then.accepted),
      now: now ? countAccepted(now) : '0',
    },
  ];
};

const describeLicense = ({ effective }: VersionEvidence['license']): string =>
  effective?.normalized ?? effective?.text ?? 'none';

const compareLicenses = (
  { license: then }: ApprovalEvidence,
  { license: now }: VersionEvidence,
): ComparedValue[] => [
  { what: 'Effective license', then: describeLicense(then), now: describeLicense(now) },
  {
    what: 'License status',
    then: then.effective?.status ?? 'none',
    now: now.effective?.status ?? 'none',
  },
];

type Metadata = Pick<
  NonNullable<VersionEvidence['facts']>,
  'found' | 'deprecated' | 'yanked' | 'newest_version'
> & {
  readonly install_scripts: boolean | null;
  readonly provenance: { readonly status: string } | null;
};

/** The metadata that evidence and answers have in common, in words. */
const describeMetadata = (facts: Metadata | null): readonly (readonly [string, string])[] => [
  ['Found upstream', facts?.found ?? notKnown],
  ['Deprecated', facts ? describeText(facts.deprecated) : notKnown],
  ['Yanked or unpublished', facts ? describeText(facts.yanked) : notKnown],
  ['Install scripts', facts ? describeBoolean(facts.install_scripts) : notKnown],
  ['Provenance', facts?.provenance?.status ?? notKnown],
  ['Latest version upstream', facts?.newest_version ?? notKnown],
];

const compareMetadata = (
  { facts: then }: ApprovalEvidence,
  { facts: now }: VersionEvidence,
): ComparedValue[] => {
  const scripts = now?.install_scripts ?? null;
  const today = describeMetadata(
    now && { ...now, install_scripts: scripts === null ? null : scripts.length > 0 },
  );
  return describeMetadata(then && { ...then, provenance: then.provenance ?? null }).map(
    ([what, value], at) => ({ what, then: value, now: today[at]?.[1] ?? notKnown }),
  );
};

/** Compares the evidence of an approval with the evidence of today. */
export const compareWithToday = (
  then: ApprovalEvidence,
  evidence: VersionEvidence,
): readonly ComparedValue[] => [
  { what: 'Status', then: 'approved', now: evidence.package.status },
  ...compareScans(then, evidence),
  ...compareLicenses(then, evidence),
  ...compareMetadata(then, evidence),
];

const listIds = ({ id, aliases }: Vulnerability): string[] => [id, ...aliases].map(foldId);

const isOpen = ({ accepted, not_affecting }: Vulnerability): boolean =>
  accepted === null && not_affecting === null;

/**
 * Returns the open vulnerabilities of today that no scan of the approval had under any id.
 * @param scans the scans of the approval
 */
export const findNewVulnerabilities = (
  { scan }: VersionEvidence,
  scans: readonly ScanResult[],
): Vulnerability[] => {
  const known = new Set(scans.flatMap(({ vulnerabilities }) => vulnerabilities.flatMap(listIds)));
  const isNew = (one: Vulnerability): boolean => !listIds(one).some((id) => known.has(id));
  return (scan?.vulnerabilities ?? []).filter((one) => isOpen(one) && isNew(one));
};

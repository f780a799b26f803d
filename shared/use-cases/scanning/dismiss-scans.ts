import type { DismissedScans } from '../../api/schemas/scan.ts';
import { RegistryError, refuseInvalid } from '../../domain/errors.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageId, PackageSelector } from '../../domain/packages/package-id.ts';
import { formatTools, isOwn, type ScanSource } from '../../domain/vulnerabilities/scan-source.ts';
import { ownTool } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import { deleteFindings, type ReviewFile } from '../../storage/reviews/review-file.ts';
import { changeEvidence, type EvidenceChange } from '../review/change-evidence.ts';

/** The scan source to dismiss, and the reason. */
export interface Dismissal {
  readonly tool: string;
  /** Label of the token; omitted for tokens without a label. */
  readonly label?: string | undefined;
  /** Number of the source's latest scan, needed if several sources share tool and label. */
  readonly number?: number | undefined;
  readonly reason: string;
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

const findSource = (
  id: PackageId,
  sources: readonly ScanSource[],
  { tool, label, number }: Dismissal,
): ScanSource => {
  // Uploads cannot use this tool name, so no search is needed.
  if (fold(tool) === fold(ownTool)) {
    throw refuseInvalid(
      'tool',
      "is the registry's own scanner, which scans again by itself; accept a vulnerability that it found instead",
      'reserved_tool',
    );
  }
  const [source, ...others] = sources.filter(
    (one) =>
      fold(formatTools(one.tools)) === fold(tool) &&
      one.label === (label ?? null) &&
      (number === undefined || one.number === number),
  );
  if (source && others.length === 0) return source;
  if (source) {
    const numbers = [source, ...others].map((one) => one.number).join(', ');
    throw refuseInvalid('number', `is needed: the scans ${numbers} are all by that tool and label`);
  }
  const there = sources
    .filter((one) => !isOwn(one))
    .map((one) => `${formatTools(one.tools)}${one.label === null ? '' : `, label ${one.label}`}`);
  throw new RegistryError(
    'scan_not_found',
    `${formatPackage(id)} has no scan by ${tool}${label === undefined ? ' without a label' : ` of the label ${label}`}. There are: ${there.join('; ') || 'none'}.`,
  );
};

/** Dismisses the findings of one scan source, and writes a record with the reason. Its scans stay readable. */
export const dismissScans = async (
  selector: PackageSelector,
  { dismissal, policy }: { readonly dismissal: Dismissal; readonly policy: ScanPolicy },
  context: WriteContext<DismissedScans>,
): Promise<DismissedScans> => {
  const version = await selectForWrite(selector);
  let answer: DismissedScans | undefined;
  const plan = ({ head, findings, acceptances }: ReviewFile): EvidenceChange => {
    const { id, tools, label, number } = findSource(version, head.sources, dismissal);
    const tool = formatTools(tools);
    const scan = { tool, label, number, source: id };
    answer = {
      ...{ ecosystem: version.ecosystem, package: version.name, version: version.version },
      ...{ tool, label, number, reason: dismissal.reason },
    };
    return {
      after: {
        sources: head.sources.filter((source) => source.id !== id),
        findings: new Map([...findings].filter(([sourceId]) => sourceId !== id)),
        acceptances,
      },
      writes: [...context.remember(answer), deleteFindings(version, id)],
      scan,
      facts: {
        type: 'scan.dismissed',
        by: context.actor.label,
        from: head.status,
        to: head.status,
        reason: dismissal.reason,
        scan,
      },
    };
  };
  await changeEvidence(version, plan, { ...context, policy });
  if (!answer) throw new Error('A scan was neither dismissed nor refused');
  return answer;
};

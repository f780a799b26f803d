import { isFileEcosystem } from '../../../shared/ecosystems/ecosystem.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { readEcosystemFlag, readTypedPackage } from '../../framework/named-package.ts';
import { UsageError } from '../../input/usage-error.ts';
import { writeResult, writeRows } from '../../output/result.ts';
import { formatTable } from '../../output/table.ts';
import type { Output } from '../../output/terminal.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import { type ApprovedVersions, findApproved, type PackageName } from './find-approved.ts';

/**
 * Parses the package argument.
 * @throws {UsageError} for text that names no package, for a version, and for another ecosystem than the flag
 */
export const parsePackage = (text: string, flags: JsonObject = {}): PackageName => {
  const { name, version, ecosystem = readEcosystemFlag(flags) } = readTypedPackage(text, flags);
  if (version === undefined) return { ecosystem, name };
  throw new UsageError(
    `${text} is one version. Remove @${version} to list the approved versions, or run registry show ${text}.`,
  );
};

/** Returns a package as commands take it, with its ecosystem if that is known. */
const toTyped = ({ ecosystem, name }: Pick<ApprovedVersions, 'ecosystem' | 'name'>) =>
  ecosystem === null ? name : `${ecosystem}:${name}`;

const describeRest = ({ approved_total, omitted, ...one }: ApprovedVersions): string =>
  [
    `${formatCount(approved_total)} approved in all`,
    ...(omitted > 0 ? [`${formatCount(omitted)} more not shown`] : []),
    `registry versions ${toTyped(one)} --status approved lists them.`,
  ].join('; ');

const formatApproved = (found: ApprovedVersions, output: Output): readonly string[] => [
  ...formatTable(
    found.by_major.map(({ major, version, expires_at, issues }) => ({
      ...((found.ecosystem === null || isFileEcosystem(found.ecosystem)) && { major }),
      version,
      expires: expires_at === null ? 'never' : expires_at.slice(0, 10),
      issues: issues.map(({ message }) => message).join(' ') || 'none',
    })),
    output,
  ),
  '',
  describeRest(found),
];

/** Returns the next step if no version is approved. */
const adviseNext = ({ pending, ...one }: ApprovedVersions): string[] => {
  const typed = toTyped(one);
  if (pending.length > 0) {
    return [`Pending: ${pending.join(', ')}. A reviewer decides: registry review ${typed}`];
  }
  const named = one.ecosystem === null ? `ECOSYSTEM:${one.name}` : typed;
  return [`Submit the version that you need: registry submit ${named}@VERSION --reason "WHY"`];
};

/**
 * Shows the newest approved version of each major version of a package.
 * @throws {NegativeResultError} if no version is approved
 */
export const showApproved = async (
  text: string,
  flags: JsonObject,
  { client, terminal, format }: Session,
): Promise<void> => {
  const found = await findApproved({ client }, parsePackage(text, flags));
  if (format === 'name') {
    const { ecosystem, name } = found;
    const rows = found.by_major.map(({ version }) => ({ ecosystem, name, version }));
    writeRows(rows, terminal.out, { format });
  } else if (found.newest || format !== 'people') {
    writeResult(found, terminal, {
      format,
      formatAnswer: (answer, output) => formatApproved(answer as ApprovedVersions, output),
    });
  }
  if (found.newest) return;
  throw new NegativeResultError(`No version of ${toTyped(found)} is approved.`, adviseNext(found));
};

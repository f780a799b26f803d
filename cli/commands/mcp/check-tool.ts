import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type CheckStatus, checkStatuses } from '../../../shared/api/schemas/check.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { readPackageText } from '../../many/package-text.ts';
import type { Session } from '../../session/session.ts';
import { Checked, readChecked } from '../check/checked.ts';
import { adviceOnOtherContent, adviseOnAll, type Permissions } from './advice.ts';
import { answerOrExplain, toAnswer } from './answer.ts';
import { cleanChecked, describeChecked } from './checked-version.ts';
import { listOf, NamedPackage, PackageToCheck } from './package-input.ts';

const Counts = z.record(z.string(), z.int());

const countStatuses = (statuses: readonly CheckStatus[]) =>
  Object.fromEntries(
    checkStatuses.map((status) => [status, statuses.filter((one) => one === status).length]),
  );

const description = `Checks whether packages may be used here: the organisation's registry returns the status of each version (approved, pending, rejected or unknown), the reasons, and the nearest approved version of each version that may not be used.

With the hashes of a lockfile, it also compares its files with the reviewed files.

Call it before you add or upgrade any dependency, before you suggest one, and before you write the FROM of a Dockerfile; for all of them in one call. Only what is "allowed" may be used. The answer says what to do about the others.`;

/** An approved version with other content gets the advice on its content alone. */
const advise = (checked: readonly Checked[], permissions: Permissions): readonly string[] => {
  const isOther = ({ content }: Checked): boolean => content === 'other';
  const rest = checked.filter((one) => !isOther(one) || one.status !== 'approved');
  return [
    ...(checked.some(isOther) ? [adviceOnOtherContent] : []),
    ...adviseOnAll(rest, permissions),
  ];
};

/** Parses `npm:left-pad@1.3.0`. Other text goes to the registry as it is. */
const toPackage = (given: PackageToCheck): PackageToCheck =>
  typeof given === 'string'
    ? (NamedPackage.safeParse(readPackageText(given)).data ?? given)
    : given;

const toTitle = (given: PackageToCheck): string =>
  typeof given === 'string' ? given : formatPackage(given);

/** Adds the tool that checks the status of versions. */
export const addCheckTool = (
  server: McpServer,
  session: Session,
  permissions: Permissions,
): void => {
  server.registerTool(
    'check',
    {
      title: 'Check packages',
      description,
      inputSchema: z.strictObject({ packages: listOf(PackageToCheck) }),
      outputSchema: z.object({
        allowed: z.boolean().describe('Whether all of them may be used.'),
        counts: Counts,
        packages: z.array(Checked).describe('In the order of the request.'),
        advice: z.array(z.string()),
      }),
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ packages }, { mcpReq: { signal } }) =>
      answerOrExplain(session, async () => {
        const body = { packages: packages.map(toPackage) };
        const answer: unknown = await session.client.checkPackages({ body }, { signal });
        const sent = body.packages.map((one) => (typeof one === 'string' ? undefined : one));
        const checked = cleanChecked(readChecked(answer, { packages: sent, allow: ['approved'] }));
        const statuses = checked.map(({ status }) => status);
        const advice = advise(checked, permissions);
        const refused = checked.filter(({ allowed }) => !allowed).length;
        const lines = checked.map((one, at) => {
          const given = packages[at];
          return describeChecked(one, given === undefined ? '' : toTitle(given));
        });
        const allowed = refused === 0;
        const counts = countStatuses(statuses);
        return toAnswer(
          [
            allowed
              ? 'All of them may be used.'
              : `${refused} of ${checked.length} may not be used.`,
            ...lines,
            '',
            ...advice,
          ],
          { allowed, counts, packages: checked, advice },
        );
      }),
  );
};

import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { type CheckStatus, checkStatuses } from '../../../shared/api/schemas/check.ts';
import { readPackageText } from '../../many/package-text.ts';
import type { Session } from '../../session/session.ts';
import { Checked, readChecked } from '../check/checked.ts';
import { adviceOnOtherContent, adviseOnAll, type Permissions } from './advice.ts';
import { answerOrExplain, toAnswer } from './answer.ts';
import { listOf, NamedPackage, PackageToCheck } from './package-input.ts';
import { describeStanding, toStandings } from './standing.ts';

const Counts = z.record(z.string(), z.int());

const countStatuses = (statuses: readonly CheckStatus[]) =>
  Object.fromEntries(
    checkStatuses.map((status) => [status, statuses.filter((one) => one === status).length]),
  );

const description = `Whether packages may be used here: asks the organisation's registry for the status of each version (approved, pending, rejected or unknown), why, and the nearest approved version of what may not be used.

With the hashes of a lockfile it also says whether its files are those that were reviewed.

Call it before you add or upgrade any dependency, before you suggest one, and before you write the FROM of a Dockerfile; for all of them in one call. Only what is "allowed" may be used. The answer says what to do about the others.`;

/** What was approved may be used only as it was reviewed. */
const advise = (standings: readonly Checked[], permissions: Permissions): readonly string[] => {
  const isOther = ({ content }: Checked): boolean => content === 'other';
  const rest = standings.filter((one) => !isOther(one) || one.status !== 'approved');
  return [
    ...(standings.some(isOther) ? [adviceOnOtherContent] : []),
    ...adviseOnAll(rest, permissions),
  ];
};

/** `npm:left-pad@1.3.0` will do, too. What cannot be read is for the registry to judge. */
const toPackage = (given: PackageToCheck): PackageToCheck =>
  typeof given === 'string'
    ? (NamedPackage.safeParse(readPackageText(given)).data ?? given)
    : given;

const toTitle = (given: PackageToCheck): string =>
  typeof given === 'string' ? given : `${given.ecosystem} ${given.name} ${given.version}`;

/** Adds the tool that asks where versions stand. */
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
        const asked = body.packages.map((one) => (typeof one === 'string' ? undefined : one));
        const standings = toStandings(
          readChecked(answer, { packages: asked, allow: ['approved'] }),
        );
        const statuses = standings.map(({ status }) => status);
        const advice = advise(standings, permissions);
        const refused = standings.filter(({ allowed }) => !allowed).length;
        const lines = standings.map((one, at) => {
          const given = packages[at];
          return describeStanding(one, given === undefined ? '' : toTitle(given));
        });
        const allowed = refused === 0;
        const counts = countStatuses(statuses);
        return toAnswer(
          [
            allowed
              ? 'All of them may be used.'
              : `${refused} of ${standings.length} may not be used.`,
            ...lines,
            '',
            ...advice,
          ],
          { allowed, counts, packages: standings, advice },
        );
      }),
  );
};

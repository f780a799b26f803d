import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Session } from '../../session/session.ts';
import {
  type ApprovedVersion,
  type ApprovedVersions,
  findApproved,
} from '../approved/find-approved.ts';
import { parsePackage } from '../approved/show-approved.ts';
import { describeSubmitting, type Permissions } from './advice.ts';
import { answerOrExplain, toAnswer } from './answer.ts';
import { longestPackageText } from './package-input.ts';
import { clean, quote } from './quote.ts';

const longestText = 300;
const mostIssues = 5;

const description =
  'Lists which versions of a package the organisation has approved: the newest one, and the newest of each major version, with expiry dates and known issues. Call it before you choose a version to add or upgrade to.';

const Version = z.object({
  major: z.string().nullable().describe('Null for tags of images.'),
  version: z.string(),
  expires_at: z.string().nullable().describe('When the approval expires; null: never.'),
  issues: z.array(z.object({ code: z.string(), message: z.string() })),
});

const Output = z.object({
  ecosystem: z.string().nullable(),
  name: z.string(),
  approved_total: z.int().describe('How many versions are approved.'),
  newest: Version.nullable().describe('Null where none is approved.'),
  by_major: z.array(Version).describe('The newest of each major version.'),
  omitted: z.int().describe('How many major versions are left out of by_major.'),
  pending: z
    .array(z.string())
    .describe('Versions that wait for a decision, where none is approved.'),
});

const cleanVersion = ({ version, issues, ...one }: ApprovedVersion): ApprovedVersion => ({
  ...one,
  version: clean(version, longestText),
  issues: issues
    .slice(0, mostIssues)
    .map(({ code, message }) => ({ code, message: clean(message, longestText) })),
});

const cleanFound = (found: ApprovedVersions): ApprovedVersions => ({
  ...found,
  name: clean(found.name, longestText),
  newest: found.newest && cleanVersion(found.newest),
  by_major: found.by_major.map(cleanVersion),
  pending: found.pending.map((version) => clean(version, longestText)),
});

const describeVersion = ({ version, expires_at, issues }: ApprovedVersion): string =>
  [
    `- ${quote(version)}`,
    ...(expires_at === null ? [] : [`approved until ${quote(expires_at)}`]),
    ...issues.map(({ code, message }) => `${code}: ${quote(message)}`),
  ].join('; ');

const describeNone = ({ pending }: ApprovedVersions, permissions: Permissions): string[] => [
  'None is approved. Do not add it yet.',
  pending.length > 0
    ? `Waiting for a decision: ${pending.map((version) => quote(version)).join(', ')}. Tell the user.`
    : `Ask the user whether to submit the version that is needed. ${describeSubmitting(permissions)}`,
];

const describeAll = ({ newest, by_major, omitted }: ApprovedVersions): string[] => [
  `The newest approved version is ${quote(newest?.version ?? '')}. Use it, or the one of the major version that the project needs:`,
  ...by_major.map(describeVersion),
  ...(omitted > 0 ? [`${omitted} more major versions are not shown.`] : []),
];

/** Adds the tool that lists which versions of a package are approved. */
export const addApprovedTool = (
  server: McpServer,
  session: Session,
  permissions: Permissions,
): void => {
  server.registerTool(
    'approved',
    {
      title: 'List approved versions',
      description,
      inputSchema: z.strictObject({
        package: z
          .string()
          .min(1)
          .max(longestPackageText)
          .describe(
            'The package without a version: npm:express, or a package URL such as pkg:npm/express.',
          ),
      }),
      outputSchema: Output,
      annotations: {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ package: text }, { mcpReq: { signal } }) =>
      answerOrExplain(session, async () => {
        const parsed = parsePackage(text);
        const found = cleanFound(await findApproved({ client: session.client, signal }, parsed));
        const title = `Approved versions of ${found.ecosystem ?? 'package'} ${quote(found.name)}: ${found.approved_total}.`;
        const lines = found.newest ? describeAll(found) : describeNone(found, permissions);
        return toAnswer([title, ...lines], { ...found });
      }),
  );
};

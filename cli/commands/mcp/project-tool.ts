import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import { counts, type Finding } from '../../../shared/use-cases/dependency-check/findings.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import type { CheckReport } from '../check/report.ts';
import { checkPaths } from '../check/run-check.ts';
import { listRemarks, summarize } from '../check/summary.ts';
import { adviceOnOtherContent, adviseOnAll, type Permissions } from './advice.ts';
import { answerOrExplain, toAnswer } from './answer.ts';
import { resolveInside } from './inside.ts';
import { clean, quote } from './quote.ts';

const mostPaths = 50;
const mostFindings = 50;
const mostPlaces = 3;
const mostReasons = 5;
const longestPath = 1024;
const longestText = 300;
const longestMessage = 1000;

const NotAllowed = z.object({
  ecosystem: z.string().nullable(),
  name: z.string(),
  version: z.string().nullable(),
  status: z.string(),
  reasons: z.array(z.string()),
  nearest_approved: z.string().nullable().optional(),
  found_in: z.array(z.string()),
});
type NotAllowed = z.infer<typeof NotAllowed>;

const description = `Checks all packages of a project, direct and transitive, as its lockfiles, Dockerfiles, compose files and SBOMs list them. It reads the files below the folder in which this server was started; only ecosystems, names, versions and hashes leave the machine.

Call it after a lockfile or an image has changed, and before you say that a change is done.`;

const describePlace = ({ file, line, through }: Finding['found_in'][number]): string =>
  [
    line === undefined ? file : `${file}:${line}`,
    ...(through && through.length > 0 ? [`transitive via ${through.join(' > ')}`] : []),
  ].join(' ');

const toNotAllowed = ({ reasons, found_in, nearest_approved, ...of }: Finding): NotAllowed => ({
  ecosystem: of.ecosystem,
  name: clean(of.name, longestText),
  version: of.version === null ? null : clean(of.version, longestText),
  status: of.status,
  reasons: reasons.slice(0, mostReasons).map(({ message }) => clean(message, longestText)),
  ...(nearest_approved !== undefined && {
    nearest_approved: nearest_approved === null ? null : clean(nearest_approved, longestText),
  }),
  found_in: found_in.slice(0, mostPlaces).map((place) => clean(describePlace(place), longestText)),
});

const describeNotAllowed = (one: NotAllowed): string => {
  const { status, reasons, nearest_approved: nearest, found_in } = one;
  return [
    `- ${quote(formatPackage(one))}: ${status}`,
    `in ${found_in.map((place) => quote(place)).join(', ')}`,
    ...reasons.map((reason) => quote(reason)),
    ...(nearest ? [`nearest approved version: ${quote(nearest)}`] : []),
  ].join('; ');
};

const adviceOnFiles = {
  other_content: adviceOnOtherContent,
  other_source:
    'other_source: files come from a host that is neither the origin nor the registry. Tell the user; do not change the lockfile to hide it.',
  unpinned:
    'unpinned: the file names no exact version, so that it cannot be checked. Pin it, or add a lockfile.',
  unreadable: 'unreadable: tell the user that this file was not checked.',
} as const;

const isOnFile = (status: Finding['status']): status is keyof typeof adviceOnFiles =>
  status in adviceOnFiles;

const advise = (failing: readonly Finding[], permissions: Permissions): readonly string[] => {
  const checked = failing.flatMap(({ status, reasons }) =>
    isOnFile(status) ? [] : [{ status, reasons: [...reasons] }],
  );
  const kinds = Object.entries(adviceOnFiles).filter(([kind]) =>
    failing.some(({ status }) => status === kind),
  );
  return [...kinds.map(([, advice]) => advice), ...adviseOnAll(checked, permissions)];
};

const toProjectAnswer = (report: CheckReport, permissions: Permissions) => {
  const failing = report.packages.filter(counts);
  const shown = failing.slice(0, mostFindings).map(toNotAllowed);
  const omitted = failing.length - shown.length;
  const advice = advise(failing, permissions);
  const files = report.files.map(({ file, packages }) => ({
    file: clean(file, longestText),
    packages,
  }));
  const notChecked = report.not_checked.slice(0, mostPaths).map(({ file, message }) => ({
    file: clean(file, longestText),
    message: clean(message, longestMessage),
  }));
  const notes = report.notes.slice(0, mostPaths);
  return toAnswer(
    [
      summarize(report),
      ...shown.map(describeNotAllowed),
      ...(omitted > 0 ? [`… and ${formatCount(omitted)} more.`] : []),
      ...listRemarks(report),
      ...notChecked.map(
        ({ file, message }) => `- not checked: ${quote(file)}: ${quote(message, longestMessage)}`,
      ),
      ...notes.map(
        ({ file, message }) => `- note on ${quote(file)}: ${quote(message, longestMessage)}`,
      ),
      '',
      ...advice,
    ],
    {
      ...{ allowed: report.allowed, counts: report.counts, not_allowed: shown, omitted, advice },
      ...{ files: files.slice(0, mostPaths), not_checked: notChecked },
    },
  );
};

/** Adds the tool that checks the project in the folder of the server. */
export const addProjectTool = (
  server: McpServer,
  session: Session,
  permissions: Permissions,
): void => {
  const path = z.string().min(1).max(longestPath).describe('From the folder of the project.');
  server.registerTool(
    'check_project',
    {
      title: 'Check the project',
      description,
      inputSchema: z.strictObject({
        paths: z
          .array(path)
          .min(1)
          .max(mostPaths)
          .optional()
          .describe('Files, or folders to search; the whole project, if not given.'),
      }),
      outputSchema: z.object({
        allowed: z.boolean().describe('Whether all packages of the project may be used.'),
        counts: z.record(z.string(), z.int()),
        not_allowed: z.array(NotAllowed).describe('The worst first.'),
        omitted: z.int().describe('How many more may not be used.'),
        advice: z.array(z.string()),
        files: z.array(z.object({ file: z.string(), packages: z.int() })),
        not_checked: z
          .array(z.object({ file: z.string(), message: z.string() }))
          .describe('Files that show that the project has more packages than were checked.'),
      }),
      annotations: {
        ...{ readOnlyHint: true, destructiveHint: false },
        ...{ idempotentHint: true, openWorldHint: false },
      },
    },
    ({ paths = ['.'] }, { mcpReq: { signal } }) =>
      answerOrExplain(session, async () => {
        const { client } = session;
        const checkPackages: typeof client.checkPackages = (input, options) =>
          client.checkPackages(input, { ...options, signal });
        const cancellable = { ...session, client: { ...client, checkPackages } };
        const inside = paths.map(resolveInside);
        return toProjectAnswer(await checkPaths(inside, cancellable, resolveInside), permissions);
      }),
  );
};

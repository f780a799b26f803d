import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import * as routes from '../../../shared/api/routes.ts';
import type { ItemResult } from '../../../shared/api/schemas/many.ts';
import { maxJustificationLength } from '../../../shared/api/schemas/submission.ts';
import { longestLicense } from '../../../shared/domain/licenses/readable-license.ts';
import { matchAnswers } from '../../failure/match-answers.ts';
import { cutIntoBatches } from '../../many/batches.ts';
import type { Outcome } from '../../many/outcomes.ts';
import { type SendItems, sendBatch } from '../../many/send-many.ts';
import type { Session } from '../../session/session.ts';
import { answerOrExplain, toAnswer } from './answer.ts';
import { listOf, NamedPackage, PackageToSubmit, readPackageVersion } from './package-input.ts';
import { clean, quote } from './quote.ts';

const longestDetail = 500;

const Submission = z.strictObject({
  package: PackageToSubmit,
  license: z
    .string()
    .min(1)
    .max(longestLicense)
    .describe('As the package itself states it; best an SPDX expression.'),
  justification: z
    .string()
    .min(1)
    .max(maxJustificationLength)
    .describe(
      'Why this project needs it, for the reviewer: its purpose, and why no approved package serves it.',
    ),
});
type Submission = z.infer<typeof Submission>;

const NamedSubmission = NamedPackage.extend(Submission.omit({ package: true }).shape);
type NamedSubmission = z.infer<typeof NamedSubmission>;

const toNamed = ({ package: given, ...why }: Submission): NamedSubmission => ({
  ...readPackageVersion(given),
  ...why,
});

const SubmissionOutcome = z.object({
  ecosystem: z.string(),
  name: z.string(),
  version: z.string(),
  outcome: z.string().describe('The status of the version; or refused, or failed.'),
  code: z.string().optional(),
  detail: z.string().optional(),
});
type SubmissionOutcome = z.infer<typeof SubmissionOutcome>;

const description = `Submits package versions for review: afterwards they are pending, until a reviewer decides. It approves nothing: a submitted version may not be used until check allows it.

Call it only for versions that check calls unknown, and only once the user agrees. A person reads the justification: write why the project needs the package, truthfully and in your own words. Repeating a call has no further effect.`;

const toOutcome = (
  { ecosystem, name, version }: NamedSubmission,
  result: ItemResult,
): SubmissionOutcome => {
  if ('package' in result) return { ecosystem, name, version, outcome: result.package.status };
  const { code, detail } = result.problem;
  const outcome = result.status < 500 ? 'refused' : 'failed';
  return { ecosystem, name, version, outcome, code, detail: clean(detail, longestDetail) };
};

const describeOutcome = ({ ecosystem, name, version, ...state }: SubmissionOutcome): string => {
  const { outcome, code, detail } = state;
  const why = detail === undefined ? '' : ` (${code}): ${quote(detail)}`;
  return `- ${ecosystem} ${quote(name)} ${quote(version)}: ${outcome}${why}`;
};

const advise = (outcomes: readonly SubmissionOutcome[]): string[] => {
  const has = (sought: string): boolean => outcomes.some(({ outcome }) => outcome === sought);
  return [
    ...(has('pending')
      ? ['Pending: tell the user that it waits for a decision; call check later.']
      : []),
    ...(has('refused') ? ['Refused: not submitted. Tell the user why.'] : []),
    ...(has('failed')
      ? ['Failed: the registry had a fault. Repeat the call: it resumes there.']
      : []),
  ];
};

const replayAdvice =
  'Some of these are answers to an earlier call. Call check for the current status.';

/** Adds the tool that submits versions for review. */
export const addSubmitTool = (server: McpServer, session: Session): void => {
  server.registerTool(
    'submit',
    {
      title: 'Submit packages for review',
      description,
      inputSchema: z.strictObject({ packages: listOf(Submission) }),
      outputSchema: z.object({ results: z.array(SubmissionOutcome), advice: z.array(z.string()) }),
      annotations: {
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      },
    },
    ({ packages: given }, { mcpReq: { signal } }) =>
      answerOrExplain(session, async () => {
        const packages = given.map(toNamed);
        const send: SendItems = async (items, options) => {
          const body = { packages: z.array(NamedSubmission).parse(items) };
          return (await session.client.submitPackages({ body }, { ...options, signal })).results;
        };
        const sent: Outcome[] = [];
        for (const batch of cutIntoBatches(packages, routes.submitPackages.path, undefined)) {
          sent.push(...(await sendBatch(batch, send, session, signal)));
        }
        const outcomes = matchAnswers(packages, sent).map(([one, { result }]) =>
          toOutcome(one, result),
        );
        const advice = advise(outcomes);
        if (sent.some(({ origin }) => origin === 'replayed')) advice.push(replayAdvice);
        return {
          ...toAnswer([...outcomes.map(describeOutcome), '', ...advice], {
            results: outcomes,
            advice,
          }),
          ...(outcomes.some(({ outcome }) => outcome === 'failed') && { isError: true }),
        };
      }),
  );
};

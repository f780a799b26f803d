import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import listVersion from '../../api/list-version.build.ts';
import { type Page, pages } from '../../api/non-api-routes.ts';
import { readGateCacheSeconds } from '../../api/settings/env.ts';
import { RegistryError } from '../../domain/errors.ts';
import { toConsolePath, toSearchPath } from '../../domain/packages/console-path.ts';
import type { PackageTarget } from '../../domain/packages/package-id.ts';
import { formatSubmitCommand } from '../../domain/packages/submit-command.ts';
import type { Freeze } from '../../domain/review/freeze.ts';
import { withReadBudget } from '../../storage/dynamodb/read-budget.ts';
import { readCachedFreeze } from '../../storage/reviews/freeze.ts';
import { composeHandler } from './endpoint.ts';
import { requestSubmission } from './gate-submissions.ts';
import { findBaseUrl, readGreedyPath, readHeader } from './gateway-request.ts';
import { checkMethod, hasTag, isKnown, makeTag, sentTag } from './non-api-endpoint.ts';
import type { RequestState } from './state.ts';

/**
 * Answer to a package manager: a text, a redirect to a file, or nothing new for a client whose copy has this state. A text
 * with a state has the tag of the state.
 */
export type GateAnswer =
  | { readonly text: string; readonly contentType: string; readonly state?: string | undefined }
  | { readonly unchanged: string; readonly contentType: string }
  | { readonly location: string };

/** Request of a package manager. */
export interface GateRequest {
  /** Path below the gate's own path, as sent or decoded once. */
  readonly path: string;
  /** Base URL of the gate, without a trailing slash. */
  readonly base: string;
  readonly event: APIGatewayProxyEvent;
  readonly now: Date;
  /** The freeze as of the last 10 seconds; undefined without one. */
  readonly freeze: Freeze | undefined;
  /**
   * Returns a function that is true if the client's copy of a list has a state, for a media type; undefined if the client sent
   * no tag.
   */
  readonly compareState: (contentType: string) => ((state: string) => boolean) | undefined;
}

const fixedPart = ({ path }: Page): string => path.replace(/\/\{\w+\+\}$/, '');

/** Returns what a developer does after the refusal of something that is not in the registry. */
const explainSubmission = async (
  submittable: PackageTarget,
  event: APIGatewayProxyEvent,
  state: RequestState,
): Promise<string> => {
  const base = findBaseUrl(event);
  const command = formatSubmitCommand(submittable);
  if (await requestSubmission(submittable, event, state)) {
    const { ecosystem, name, version } = submittable;
    const path = version ? toConsolePath({ ecosystem, name, version }) : toSearchPath(submittable);
    return `; requested with your token: try again in a minute, and see ${base}${path}; if nothing is there: ${command}`;
  }
  return `; ask: ${command}; get the command at ${base}${pages.showCommandLine.path}`;
};

/** Returns how a developer goes on: the version in the console, or the command line for a submission. */
const explainNextStep = async (
  { parts: { explainedBy, submittable } }: RegistryError,
  event: APIGatewayProxyEvent,
  state: RequestState,
): Promise<string> => {
  if (explainedBy) return `; see ${findBaseUrl(event)}${toConsolePath(explainedBy)}`;
  return submittable ? explainSubmission(submittable, event, state) : '';
};

/**
 * Adds the next step to the message of a refusal. The member `error` repeats the message, because npm clients print no other
 * part.
 */
const explainRefusal = async (
  error: unknown,
  event: APIGatewayProxyEvent,
  state: RequestState,
): Promise<unknown> => {
  if (!(error instanceof RegistryError)) return error;
  const { code, parts } = error;
  const message = `${error.message}${await explainNextStep(error, event, state)}`;
  return new RegistryError(code, message, {
    ...parts,
    members: { ...parts.members, error: message },
  });
};

/**
 * Returns who may store an answer. Shared caches store none to a request with a token: it counts as a use of the token, and may
 * submit. `Vary` cannot say so, because npm writes the headers that it names to its cache, and thus would write tokens there.
 */
const chooseStores = (event: APIGatewayProxyEvent): 'public' | 'private' =>
  ['Authorization', 'X-API-Key'].some((name) => readHeader(event, name).length > 0)
    ? 'private'
    : 'public';

/**
 * Returns how long an answer stays valid. No cache may use it longer, not even while the registry fails: otherwise a recalled
 * version stays available. Some caches only follow `stale-if-error`.
 */
const makeCacheControl = (event: APIGatewayProxyEvent): string =>
  `${chooseStores(event)}, max-age=${readGateCacheSeconds()}, must-revalidate, stale-if-error=0`;

/** Request headers that change an answer. API Gateway compresses long ones. */
const vary = 'Accept, Accept-Encoding';

/** Returns the tag of a list by its state, and by all else that its text depends on. */
const tagState = (state: string, contentType: string, base: string): string =>
  makeTag(JSON.stringify([listVersion, base, contentType, state]));

const makeAnswer = (answer: GateAnswer, base: string, event: APIGatewayProxyEvent): HttpAnswer => {
  const common = {
    'Cache-Control': makeCacheControl(event),
    'X-Content-Type-Options': 'nosniff',
  };
  if ('location' in answer) {
    return { statusCode: 302, headers: { ...common, Location: answer.location }, body: '' };
  }
  const { contentType } = answer;
  const state = 'unchanged' in answer ? answer.unchanged : answer.state;
  const text = 'unchanged' in answer ? '' : answer.text;
  const tag = state === undefined ? makeTag(text) : tagState(state, contentType, base);
  const headers = { 'Content-Type': contentType, ...common, ETag: tag, Vary: vary };
  if (isKnown(event, tag)) return { statusCode: 304, headers, body: '' };
  return { statusCode: 200, headers, body: text };
};

/** Returns the handler of a gate, which serves approved versions in the protocol of a package manager. */
export const gate = (page: Page, serve: (request: GateRequest) => Promise<GateAnswer>) =>
  composeHandler(async (state, event): Promise<HttpAnswer> => {
    try {
      checkMethod(event);
      const base = `${findBaseUrl(event)}${fixedPart(page)}`;
      const now = new Date();
      const path = readGreedyPath(event);
      const compareState = (contentType: string) =>
        hasTag(event)
          ? (known: string) => sentTag(event, tagState(known, contentType, base))
          : undefined;
      const answer = await withReadBudget(async () =>
        serve({ path, base, event, now, freeze: await readCachedFreeze(now), compareState }),
      );
      return makeAnswer(answer, base, event);
    } catch (error) {
      throw await explainRefusal(error, event, state);
    }
  });

import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { catchUpstreamError, isSuccess } from '../../../util/outbound-http/upstream-error.ts';
import { explainNonsense, type Origin, readJson } from '../../origin/origin-http.ts';
import type { Statements } from '../../origin/upstream-answer.ts';
import { readSize } from './manifest-document.ts';

const maxBytes = 4 * 1024 * 1024;

/** Matches the start of the description of a deprecated official image. */
const deprecation = /^[^\p{L}]*deprecat/iu;

/** What Docker Hub's web API says of a tag, and its registry does not. */
export interface HubDetails {
  readonly statements: Statements;
  /** Sizes of images in bytes, by their digests. */
  readonly sizes: ReadonlyMap<string, number>;
}

const askObject = async ({ ask, host }: Origin, path: string): Promise<JsonObject | undefined> => {
  const answer = await ask({ path, accept: 'application/json', maxBytes });
  if (!answer) return undefined;
  const value = readJson(host, answer);
  if (!isObject(value)) throw explainNonsense(host, answer);
  return value;
};

const readDeprecation = (repository: JsonObject | undefined): string | undefined =>
  [readTextAt(repository, 'description'), readTextAt(repository, 'full_description')].find(
    (text) => text !== undefined && deprecation.test(text),
  );

const readSizes = (tag: JsonObject | undefined): ReadonlyMap<string, number> => {
  const images = readAt(tag, 'images');
  return new Map(
    (Array.isArray(images) ? images : []).flatMap((image): [string, number][] => {
      const [digest, size] = [readTextAt(image, 'digest'), readSize(readAt(image, 'size'))];
      return digest !== undefined && size !== null ? [[digest, size]] : [];
    }),
  );
};

/**
 * Fetches what Docker Hub's web API says of a repository, and of a tag if there is one. Returns
 * undefined without an answer: the registry has the image itself, and the next refresh requests the details again.
 */
export const fetchHubDetails = async (
  origin: Origin,
  repository: string,
  tag: string | undefined,
): Promise<HubDetails | undefined> => {
  const path = `v2/repositories/${repository}`;
  const answers = await catchUpstreamError(() =>
    Promise.all([
      askObject(origin, `${path}/`),
      tag === undefined ? undefined : askObject(origin, `${path}/tags/${encodeURIComponent(tag)}`),
    ]),
  );
  if (!isSuccess(answers)) return undefined;
  const [described, tagged] = answers;
  return {
    statements: {
      publishedAt: readTextAt(tagged, 'tag_last_pushed') ?? readTextAt(tagged, 'last_updated'),
      description: described?.['description'],
      deprecated: readDeprecation(described),
    },
    sizes: readSizes(tagged),
  };
};

import { RequestError } from '../../shared/api/client/client.ts';
import { isObject } from '../../shared/util/json.ts';

/**
 * Pairs each item of a request with its result; results are in the order of the items.
 * @throws {RequestError} if the number of results differs, which no registry answers
 */
export const matchAnswers = <Item, Result extends object>(
  items: readonly Item[],
  results: readonly Result[] | undefined,
): readonly (readonly [Item, Result])[] => {
  const pairs = items.flatMap((item, at) => {
    const result = results?.[at];
    return isObject(result) ? [[item, result] as const] : [];
  });
  if (pairs.length === items.length && results?.length === items.length) return pairs;
  const detail = `The answer does not have one result for each of ${items.length} packages. Check that the URL is that of the registry.`;
  throw new RequestError({ code: 'unexpected_answer', detail });
};

import { RequestError } from '../../shared/api/client/client.ts';
import { isObject } from '../../shared/util/json.ts';

/**
 * Puts each thing that was asked together with its answer, which a registry gives in their order.
 * @throws {RequestError} where there is not one answer for each: then no registry gave them
 */
export const matchAnswers = <Asked, Answer extends object>(
  asked: readonly Asked[],
  answers: readonly Answer[] | undefined,
): readonly (readonly [Asked, Answer])[] => {
  const pairs = asked.flatMap((one, at) => {
    const answer = answers?.[at];
    return isObject(answer) ? [[one, answer] as const] : [];
  });
  if (pairs.length === asked.length && answers?.length === asked.length) return pairs;
  const detail = `The answer does not have one result for each of ${asked.length} packages, as a package registry's has. Is the URL that of the registry?`;
  throw new RequestError({ code: 'unexpected_answer', detail });
};

import { RequestError } from '../../shared/client/client.ts';
import { isObject } from '../../shared/domain/json.ts';

/**
 * Puts each thing that was asked together with its answer, which a registry gives in their order.
 * @throws {RequestError} where there is not one answer for each: then no registry gave them
 */
export const matchAnswers = <Asked, Answer extends object>(
  asked: readonly Asked[],
  answers: readonly Answer[] | undefined,
): readonly (readonly [Asked, Answer])[] => {
  const given = Array.isArray(answers) ? answers.filter(isObject).length : 0;
  const pairs = asked.flatMap((one, at) => {
    const answer = answers?.[at];
    return answer ? [[one, answer] as const] : [];
  });
  if (given === asked.length && pairs.length === asked.length) return pairs;
  const detail = `${given} answers came for ${asked.length} packages, and not as a package registry gives them. Is the URL that of the registry?`;
  throw new RequestError({ code: 'unexpected_answer', detail });
};

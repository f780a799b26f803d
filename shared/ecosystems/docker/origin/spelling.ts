import type { JsonObject } from '../../../util/json.ts';

/**
 * Returns a check for objects whose member names differ from these names only by case. Container engines are written in Go, whose
 * JSON reader ignores case: it could read another image than this registry.
 */
export const createSpellingCheck = (
  names: readonly string[],
): ((object: JsonObject) => boolean) => {
  const anyCase = new RegExp(`^(?:${names.join('|')})$`, 'iu');
  return (object) => Object.keys(object).some((key) => anyCase.test(key) && !names.includes(key));
};

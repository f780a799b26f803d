import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { matchesName } from './match-name.ts';

/** Names of the organisation's own packages: a pattern in one ecosystem, in which `*` matches any characters. */
export interface OwnPackages {
  readonly ecosystem: Ecosystem;
  readonly pattern: string;
}

const mostPatterns = 100;
/** A pattern of `*` alone would allow every package. */
const patternFormat = /^(?=.*[a-z0-9]{2})[!-~]{2,255}$/i;

/**
 * Parses patterns such as `npm:@acme/*,maven:com.acme:*`; `none` means no pattern.
 * @returns undefined for other text
 */
export const parseOwnPackages = (text: string): readonly OwnPackages[] | undefined => {
  if (text === 'none') return [];
  const parsed = text.split(',').map((part) => {
    const [, before, pattern = ''] = /^\s*([a-z]+):(\S+)\s*$/.exec(part) ?? [];
    const ecosystem = ecosystems.find((one) => one === before);
    return ecosystem && patternFormat.test(pattern) ? { ecosystem, pattern } : undefined;
  });
  const valid = parsed.filter((one) => one !== undefined);
  return valid.length === parsed.length && valid.length <= mostPatterns ? valid : undefined;
};

/** Returns true if a name is one of the organisation's own packages. */
export const isOwnPackage = (
  own: readonly OwnPackages[],
  id: { readonly ecosystem: Ecosystem; readonly name: string },
): boolean =>
  own.some(({ ecosystem, pattern }) => ecosystem === id.ecosystem && matchesName(pattern, id));

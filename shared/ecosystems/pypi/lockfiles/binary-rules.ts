import { canonicalizeName } from '../../../domain/packages/package-name.ts';

/** How pip may install a package: from a wheel only, from source only, or from either. */
type Way = 'wheel' | 'source' | 'either';

const all = ':all:';
const none = ':none:';
const rule = /(--no-binary|--only-binary)[\s=]+["']?([^\s"']+)/g;

/** Applies the values of one option: a name is removed from the other option, and `:all:` empties the other option. */
const apply = (values: readonly string[], to: Set<string>, other: Set<string>): void => {
  for (const value of values) {
    if (value === all || value === none) to.clear();
    if (value === all) other.clear();
    if (value === none) continue;
    const name = value === all ? all : canonicalizeName('pypi', value);
    to.add(name);
    other.delete(name);
  }
};

/**
 * Returns a function for how pip installs a package, by the options `--no-binary` and `--only-binary` of a file. Later
 * lines win.
 * Source: `FormatControl` of pip.
 */
export const readBinaryRules = (settings: readonly string[]): ((name: string) => Way) => {
  const [source, wheel] = [new Set<string>(), new Set<string>()];
  for (const [, option, values = ''] of settings.flatMap((text) => [...text.matchAll(rule)])) {
    const [to, other] = option === '--no-binary' ? [source, wheel] : [wheel, source];
    apply(values.split(',').filter(Boolean), to, other);
  }
  return (name) => {
    const key = [canonicalizeName('pypi', name), all].find(
      (one) => wheel.has(one) || source.has(one),
    );
    if (key === undefined) return 'either';
    return wheel.has(key) ? 'wheel' : 'source';
  };
};

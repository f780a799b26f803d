import type { UnpinnedReason } from '../../lockfiles/dependency-file.ts';
import { judgeSpec } from '../../lockfiles/spec-kind.ts';

/** Meaning of one line in a requirements file. */
export type Requirement =
  | { readonly kind: 'pinned'; readonly name: string; readonly version: string }
  | { readonly kind: 'left'; readonly name?: string; readonly reason: UnpinnedReason }
  /** A setting of pip, which names no package. */
  | { readonly kind: 'setting' };

const setting =
  /^(?:-i|--index-url|--extra-index-url|--no-index|-f|--find-links|--no-binary|--only-binary|--prefer-binary|--require-hashes|--pre|--trusted-host|--use-feature)(?:[\s=]|$)|^-[if]\S/;
const include = /^(?:-r|--requirement|-c|--constraint)(?:[\s=]|$)|^-[rc]\S/;
const editable = /^(?:-e|--editable)(?:[\s=]+|$)/;
const archive = /\.(?:whl|zip|tar|tar\.(?:gz|bz2|xz|lz|lzma)|tgz|tbz|txz|tlz)$/i;
const requirement =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?:(@)|\(?([<>=!~][^()]*)\)?)?/;

const judgeAddress = (address: string): UnpinnedReason => {
  if (/^(?:git|hg|svn|bzr)\+/i.test(address)) return 'git';
  return judgeSpec(address) ?? 'file';
};

/** Returns the version in `==1.0`, `===1.0` or `==1.0,>=0.9`; undefined for ranges. */
export const findPinned = (specifiers: string): string | undefined => {
  const pins = specifiers.split(',').map((one) => /^\s*={2,3}\s*([^\s*]+)\s*$/.exec(one)?.[1]);
  return pins.find((version) => version !== undefined);
};

/** Returns a requirement without markers, hashes and build options. */
export const dropOptions = (text: string): string => {
  const [requirement = ''] = text.split(/\s--?[a-z]/i, 1);
  return (requirement.split(';', 1)[0] ?? '').trimEnd();
};

/** Returns the hashes in `--hash=sha256:HEX` options. pip accepts a file that matches any one. */
export const readHashes = (text: string): string[] =>
  [...text.matchAll(/\s--hash[\s=]+["']?([\w-]+:[\da-f]+)/gi)].flatMap(([, hash]) => hash ?? []);

const source =
  /^(?:(-i|--index-url|--extra-index-url)|(?:-f|--find-links))(?:[\s=]+|(?<=^-[if]))["']?([^\s"']+)/;

/**
 * Returns the options of a line, each with its value. pip accepts several per line, so that an include may follow a
 * setting. Quotes and backslashes are dropped, because they may also hide an include.
 */
const splitOptions = (line: string): string[] =>
  line
    .replace(/["'\\]/g, '')
    .split(/(?<!\s)\s+(?=-)/)
    .filter((part) => part.startsWith('-'));

/** Returns the indexes and link pages that the options of a line add. */
export const listSources = (
  text: string,
): { readonly kind: 'index' | 'links'; readonly address: string }[] =>
  splitOptions(text).flatMap((option) => {
    const [, index, address] = source.exec(option) ?? [];
    if (address === undefined) return [];
    return [{ kind: index === undefined ? ('links' as const) : ('index' as const), address }];
  });

/** Returns the meaning of a line that begins with an option: `setting` if all its options are settings. */
const readOptions = (line: string): Requirement => {
  const other = splitOptions(line).find((option) => !setting.test(option));
  if (other === undefined) return { kind: 'setting' };
  if (include.test(other)) return { kind: 'left', reason: 'include' };
  return { kind: 'left', reason: editable.test(other) ? 'file' : 'unreadable' };
};

export const readRequirement = (line: string): Requirement => {
  if (line.startsWith('-') && !editable.test(line)) return readOptions(line);
  const given = line.replace(editable, '');
  if (given.startsWith('-')) return { kind: 'left', reason: 'unreadable' };
  const text = dropOptions(given);
  if (/\$\{\w+\}/.test(text)) return { kind: 'left', reason: 'variable' };
  const [whole = '', name, at, specifiers] = requirement.exec(text) ?? [];
  const rest = text.slice(whole.length).trim();
  if (name !== undefined && at) return { kind: 'left', name, reason: judgeAddress(rest) };
  if (given !== line || /^[\w+]+:\/\//.test(text) || /^[./~]/.test(text) || archive.test(text)) {
    return { kind: 'left', reason: judgeAddress(text) };
  }
  if (name === undefined) return { kind: 'left', reason: 'unreadable' };
  if (rest !== '')
    return { kind: 'left', name, reason: /[\\/]/.test(text) ? 'file' : 'unreadable' };
  if (specifiers === undefined) return { kind: 'left', name, reason: 'no_version' };
  const version = findPinned(specifiers);
  return version === undefined
    ? { kind: 'left', name, reason: 'range' }
    : { kind: 'pinned', name, version };
};

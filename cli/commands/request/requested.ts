import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../input/usage-error.ts';

/** The package managers that resolve a request. */
export const resolvers = ['npm', 'uv', 'maven'] as const;
export type Resolver = (typeof resolvers)[number];

/** A requested package: its name, and its version or range if one was typed. */
export interface Requested {
  readonly name: string;
  readonly range: string | undefined;
}

/** The manifest of a project. */
export const manifests: Readonly<Record<Resolver, string>> = {
  npm: 'package.json',
  uv: 'pyproject.toml',
  maven: 'pom.xml',
};

/** The lockfiles of a package manager. It reads the first one that exists. */
const lockfiles: Readonly<Record<Resolver, readonly string[]>> = {
  npm: ['npm-shrinkwrap.json', 'package-lock.json'],
  uv: ['uv.lock'],
  maven: [],
};

/** Returns the name of the project's lockfile. */
export const findLockfile = (resolver: Resolver, project: string): string | undefined =>
  lockfiles[resolver].find((name) => existsSync(join(project, name)));

const ecosystemOf: Readonly<Record<Resolver, string>> = { npm: 'npm', uv: 'pypi', maven: 'maven' };

/** Names and ranges that no package manager takes for a flag, an address or a file. */
const patterns: Readonly<Record<Resolver, { readonly name: RegExp; readonly range: RegExp }>> = {
  npm: {
    name: /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i,
    range: /^[\w.*^~<>=|+ -]+$/,
  },
  uv: { name: /^[a-z0-9](?:[\w.-]*[a-z0-9])?(?:\[[\w,.-]+\])?$/i, range: /^[\w.*<>=!~,+ -]+$/ },
  maven: { name: /^[\w.-]+:[\w.-]+$/, range: /^[\w.+-]+$/ },
};

const examples: Readonly<Record<Resolver, string>> = {
  npm: 'express@5',
  uv: 'requests@2.32.5 or requests>=2.32',
  maven: 'org.slf4j:slf4j-api@2.0.17',
};

/**
 * Finds the package manager of a project by its lockfile or manifest.
 * @throws {UsageError} if there is none, or more than one
 */
const findResolver = (folder: string): Resolver => {
  const found = resolvers.filter((one) =>
    [manifests[one], ...lockfiles[one]].some((name) => existsSync(join(folder, name))),
  );
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const what = only ? `projects of ${found.join(' and ')}` : 'no project of npm, uv or Maven';
  throw new UsageError(
    `There are ${what} in this folder. Write the ecosystem before the package: npm:express, pypi:requests or maven:org.slf4j:slf4j-api.`,
  );
};

/** Splits `npm:express` into the resolver and the rest; the rest alone without an ecosystem. */
const readPrefix = (text: string): readonly [Resolver | undefined, string] => {
  const resolver = resolvers.find((one) => text.startsWith(`${ecosystemOf[one]}:`));
  return resolver ? [resolver, text.slice(ecosystemOf[resolver].length + 1)] : [undefined, text];
};

const splitRange = (resolver: Resolver, text: string): Requested => {
  const at = text.lastIndexOf('@');
  if (at > 0) return { name: text.slice(0, at), range: text.slice(at + 1) };
  const [, name = text, range] =
    (resolver === 'uv' ? /^([^<>=!~\s]+)\s*([<>=!~].*)$/.exec(text) : undefined) ?? [];
  if (resolver === 'maven' && text.split(':').length === 3) {
    const colon = text.lastIndexOf(':');
    return { name: text.slice(0, colon), range: text.slice(colon + 1) };
  }
  return { name, range };
};

/**
 * Reads the packages of a request, and their package manager.
 * @throws {UsageError} for text that names no package, and for packages of several ecosystems
 */
export const readRequested = (
  texts: readonly string[],
  folder: string,
): { readonly resolver: Resolver; readonly requested: readonly Requested[] } => {
  const read = texts.map(readPrefix);
  const named = [...new Set(read.flatMap(([resolver]) => resolver ?? []))];
  if (named.length > 1) {
    throw new UsageError('Request packages of one ecosystem at a time.');
  }
  const resolver = named[0] ?? findResolver(folder);
  const { name, range } = patterns[resolver];
  return {
    resolver,
    requested: read.map(([, text]) => {
      const one = splitRange(resolver, text);
      const isValid =
        name.test(one.name) &&
        (one.range === undefined || (range.test(one.range) && !one.range.startsWith('-')));
      if (isValid && (resolver !== 'maven' || one.range !== undefined)) return one;
      throw new UsageError(`"${text}" is no package of ${resolver}. Write ${examples[resolver]}.`);
    }),
  };
};

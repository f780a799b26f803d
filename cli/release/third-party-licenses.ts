import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The folder of the package that a source file belongs to; undefined for the project's own. */
const findPackage = (source: string): string | undefined =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0];

const describeLicense = (folder: string): string => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = manifest;
  if (!license) throw new Error(`${name} ${version} does not say under which license it is`);
  const entries = readdirSync(folder);
  // A NOTICE goes along, too (Apache License 2.0, section 4).
  const texts = [/^(?:licen[cs]e|copying)\b/i, /^notice\b/i].flatMap((pattern) => {
    const file = entries.find((entry) => pattern.test(entry));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : '';
    return text === '' ? [] : [text];
  });
  return [`${name} ${version}: ${license}`, ...texts].join('\n\n');
};

const rule = `\n\n${'-'.repeat(80)}\n\n`;

/**
 * Lists the packages of others that a bundle holds, each with the text of its license, which asks to go along.
 * @param sources the files that the bundle is made of, relative to the project's folder
 * @throws {Error} if a package does not name its license
 */
export const listThirdPartyLicenses = (project: string, sources: readonly string[]): string => {
  const folders = new Set(sources.flatMap((source) => findPackage(source) ?? []));
  const licenses = [...folders].sort().map((folder) => describeLicense(join(project, folder)));
  return `${licenses.join(rule)}\n`;
};

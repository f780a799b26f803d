const foreign =
  'is a lockfile of an ecosystem that the registry does not cover, so its packages were not checked';

/** Reasons by file name for files without a reader, mostly with an alternative file. */
const unread: ReadonlyMap<string, string> = new Map([
  [
    'bun.lockb',
    'is a binary lockfile, which is not read: have it as bun.lock, by bun install --save-text-lockfile',
  ],
  [
    'verification-metadata.xml',
    'is a list of checksums by Gradle, which is not read, as it also has what is no longer used: write lockfiles by gradle dependencies --write-locks',
  ],
  [
    'bom.xml',
    'is CycloneDX as XML, which is not read: write it as JSON (cyclonedx convert --output-format json)',
  ],
  [
    'deno.lock',
    'is a lockfile of Deno, which is not read: check an SBOM of the project, as CycloneDX in JSON',
  ],
  ['conda-lock.yml', foreign],
  ['Gemfile.lock', foreign],
  ['Cargo.lock', foreign],
  ['go.sum', foreign],
  ['composer.lock', foreign],
  ['packages.lock.json', foreign],
  ['Podfile.lock', foreign],
  ['Package.resolved', foreign],
  ['pubspec.lock', foreign],
  ['mix.lock', foreign],
]);

const isKubernetes = (text: string): boolean =>
  /^apiVersion:/m.test(text) && /^kind:/m.test(text) && /^[\s-]*image:/m.test(text);

const nameFile = (path: string): string => path.replaceAll('\\', '/').split('/').at(-1) ?? '';

/** Returns whether a file is a lockfile of an ecosystem that the registry does not cover. */
export const isOfOtherEcosystem = (path: string): boolean => unread.get(nameFile(path)) === foreign;

/**
 * Explains why a file that lists packages is not read, and suggests an alternative; undefined for all other files.
 * @param load returns the text of the file; called only if the name alone does not decide
 */
export const explainUnreadFile = (path: string, load: () => string): string | undefined => {
  const name = nameFile(path);
  const why = unread.get(name) ?? (name.endsWith('.cdx.xml') ? unread.get('bom.xml') : undefined);
  if (why !== undefined) return `It ${why}.`;
  if (!/\.ya?ml$/i.test(name) || !isKubernetes(load())) return undefined;
  return 'It is a Kubernetes manifest, which is not read: have the cluster ask the registry when it starts pods, or check an SBOM of its images.';
};

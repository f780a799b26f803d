import type { Ecosystem } from '../ecosystem.ts';

/** A package version that a project uses. The name is canonical; the version is spelled as in the file. */
export interface Dependency {
  readonly ecosystem: Ecosystem;
  readonly name: string;
  /** Version as in the file; for an image, the digest if it has one. A pull by digest ignores the tag. */
  readonly version: string;
  /** Tag of an image that also has a digest. */
  readonly tag?: string | undefined;
  /** License as the file states it, not validated. */
  readonly license?: string | undefined;
  /** Line in the file that pins the version, counted from 1. */
  readonly line?: number | undefined;
  /**
   * Shortest dependency chain from a direct dependency of the project to this package, without the package, each as
   * `name@version`. Empty for a direct dependency; undefined if the file does not show the chain.
   */
  readonly through?: readonly string[] | undefined;
  /** Hashes of the installed files, each as `sha512-BASE64` or `sha256:HEX`; undefined if the file has none. */
  readonly hashes?: readonly string[] | undefined;
  /** URLs of the installed files; undefined if the file has none. */
  readonly addresses?: readonly string[] | undefined;
}

/** A package source that a file declares for package managers. */
export interface DeclaredSource {
  readonly ecosystem: Ecosystem;
  /** `index`: a package index. `links`: a page or folder with links to files. */
  readonly kind: 'index' | 'links';
  /** URL or folder, without credentials. */
  readonly address: string;
  /** Line in the file, counted from 1. */
  readonly line?: number | undefined;
}

/** Reasons why an entry has no pinned version. Each reason completes the sentence "It …". */
export const unpinnedReasons = {
  git: 'comes from a Git repository and not from a registry',
  url: 'comes from an address of its own and not from a registry',
  file: 'comes from a folder or file of the machine and not from a registry',
  include: 'names another file, which has to be checked, too',
  range: 'allows several versions: pin one exact version',
  variable: 'depends on a variable that the file does not set',
  no_version: 'names no version',
  no_purl: 'has no package URL, which would identify it',
  not_a_package: 'is a part of the system or a file, and no package',
  other_ecosystem: 'is a package of an ecosystem that the registry does not know',
  contradiction: 'is in the file twice, with different content',
  unreadable: 'cannot be read as a dependency',
} as const;

export type UnpinnedReason = keyof typeof unpinnedReasons;

/** An entry that does not identify one version of one package. */
export interface Unpinned {
  /** The entry as in the file, or its name, on one line. */
  readonly text: string;
  readonly reason: UnpinnedReason;
  /** Source of the entry, or a description of its error. */
  readonly detail?: string | undefined;
  /** Line in the file, counted from 1. */
  readonly line?: number | undefined;
}

/** Source builds during the installation of a Python file. Each build installs additional packages. */
export interface Builds {
  /** Packages without a wheel, each as `name@version`. */
  readonly packages: readonly string[];
  /** True if other packages may be built, too: the file does not show which packages have a wheel. */
  readonly mayBeMore: boolean;
  /** Build requirements of the project, as PEP 508 requirements. */
  readonly requires: readonly string[];
  /** Set if a pyproject.toml restricts uv to wheels. `except` lists the packages that uv still builds. */
  readonly onlyWheels?: { readonly except: readonly string[] };
}

/** Content of a lockfile, a dependency list or an SBOM. */
export interface DependencyFile {
  readonly format: DependencyFormat | FolderFormat;
  /** Each version of each package once, in the order of the file. */
  readonly dependencies: readonly Dependency[];
  readonly unpinned: readonly Unpinned[];
  /** Names, or else folders, of the project's own packages: its root and its workspace members. */
  readonly own: readonly string[];
  /** Package indexes and link pages that the file declares, without duplicates. */
  readonly sources: readonly DeclaredSource[];
  /** Reason why the file may lack installed packages, and the remedy; undefined if the file can be complete. */
  readonly incomplete?: string | undefined;
  /** Advice for the user. Unlike `incomplete`, a note never fails a check. */
  readonly note?: string | undefined;
  /** Source builds; undefined for files of other ecosystems than Python. */
  readonly builds?: Builds | undefined;
  /** Plugins and extensions of a POM, as `group:artifact:version`. The version is missing if another POM sets it. */
  readonly plugins?: readonly string[] | undefined;
}

/** Descriptions of the formats, by format name. The format name is the usual file name. */
export const dependencyFormats = {
  'package-lock.json': 'the lockfile of npm',
  'pnpm-lock.yaml': 'the lockfile of pnpm',
  'yarn.lock': 'the lockfile of Yarn',
  'bun.lock': 'the lockfile of Bun',
  'requirements.txt': "a file of pip's requirements",
  'poetry.lock': 'the lockfile of Poetry',
  'uv.lock': 'the lockfile of uv',
  'Pipfile.lock': 'the lockfile of Pipenv',
  'pdm.lock': 'the lockfile of PDM',
  'pylock.toml': 'a lockfile of Python (PEP 751)',
  'pyproject.toml': 'a pyproject.toml, for what the build of the project requires',
  'pom.xml': 'a POM of Maven',
  'gradle.lockfile': 'a lockfile of Gradle',
  'maven-list': 'what mvn dependency:list or dependency:tree prints',
  Dockerfile: 'a Dockerfile',
  'compose.yaml': 'a Compose file',
  cyclonedx: 'a CycloneDX document, as JSON',
  spdx: 'an SPDX 2 document, as JSON',
} as const;

export type DependencyFormat = keyof typeof dependencyFormats;

/** Format of a folder in place of a file: a local repository of Maven. */
export type FolderFormat = 'maven-repository';

/** Thrown for a file that cannot be parsed. The message explains the error and the remedy. */
export class UnreadableDependencyFileError extends Error {
  override readonly name: string = 'UnreadableDependencyFileError';
}

/** Thrown if neither the name nor the content of a file identifies its format. */
export class UnknownFormatError extends UnreadableDependencyFileError {
  override readonly name = 'UnknownFormatError';

  constructor() {
    super(
      `Neither its name nor its content identifies the format. Name the format, which is one of ${Object.keys(dependencyFormats).join(', ')}.`,
    );
  }
}

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../input/usage-error.ts';
import { toOneLine } from '../../output/text.ts';
import { writeBarePom, writeProjectPom } from './maven-project.ts';
import { writeMavenSettings } from './maven-settings.ts';
import { manifests, type Requested } from './requested.ts';
import type { Resolve, ResolveOptions } from './resolution.ts';
import { runTool } from './run-tool.ts';

const tree = 'dependency-tree.txt';

/** The plugin's version is fixed, since POMs and releases of Maven choose different ones. */
const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:tree';

const runMaven = async ({ folder, gate, signal }: ResolveOptions): Promise<void> => {
  const args = [
    ...['-B', '-q', '-s', 'settings.xml', `-Dmaven.repo.local=${join(folder, 'repository')}`],
    ...[goal, `-DoutputFile=${join(folder, tree)}`],
  ];
  await runTool('mvn', args, { cwd: folder, gate, signal });
};

/** Drops the dependencies that the project has without the request from a tree. */
const keepRequested = (requested: readonly Requested[], file: string): void => {
  const [root = '', ...branches] = readFileSync(file, 'utf8').split(/^(?=[+\\]- )/m);
  const kept = branches.filter((branch) =>
    requested.some(({ name }) => branch.slice(3).startsWith(`${name}:`)),
  );
  writeFileSync(file, [root, ...kept].join(''));
};

/**
 * Resolves with the project's POM. Returns why that is not possible, for example since a parent is not in the folder of the
 * project.
 */
const resolveInProject = async (
  requested: readonly Requested[],
  options: ResolveOptions,
): Promise<string | undefined> => {
  if (!writeProjectPom(requested, options)) return 'it cannot be read';
  try {
    await runMaven(options);
    keepRequested(requested, join(options.folder, tree));
    return undefined;
  } catch (error) {
    if (error instanceof UsageError || options.signal.aborted) throw error;
    const { message } = error as Error;
    return (
      (/(Non-resolvable .*)/.exec(message) ?? /^\[ERROR\] +(.*)/m.exec(message))?.[1] ?? message
    );
  }
};

export const resolveWithMaven: Resolve = async (requested, options) => {
  const { folder } = options;
  writeMavenSettings(join(folder, 'settings.xml'), options);
  // Maven loads extensions from the nearest folder of this name.
  mkdirSync(join(folder, '.mvn'));
  const files = [tree];
  if (!existsSync(join(options.project, manifests.maven))) {
    writeBarePom(requested, folder);
    await runMaven(options);
    return { files };
  }
  const fault = await resolveInProject(requested, options);
  if (fault === undefined) return { files };
  writeBarePom(requested, folder);
  await runMaven(options);
  const remark = toOneLine(`The versions that the project's POM manages do not count: ${fault}`);
  return { files, remark };
};

import type { DependencyFile } from '../../ecosystems/lockfiles/dependency-file.ts';
import { explainPlugins } from '../../ecosystems/maven/lockfiles/pom-build.ts';
import type { ProjectFile } from './findings.ts';
import { folderOf } from './folders.ts';

const nameOf = (text: string): string => text.split(':').slice(0, 2).join(':');

/** Reasons for an unpinned dependency in a POM whose version Maven resolves elsewhere. */
const settled = ['no_version', 'variable', 'range'];

const settle = (pom: DependencyFile, tree: DependencyFile): DependencyFile => {
  const listed = new Set(tree.dependencies.map(({ name }) => name));
  const { incomplete: _, ...rest } = pom;
  const { plugins = [] } = pom;
  return {
    ...rest,
    ...(plugins.length > 0 && { note: explainPlugins(plugins) }),
    unpinned: pom.unpinned.filter(
      ({ text, reason }) => !settled.includes(reason) || !listed.has(nameOf(text)),
    ),
  };
};

/**
 * Completes POMs from Maven's printed dependency trees. A tree in the same folder, for the same group and artifact, lists
 * all versions and their transitive dependencies. A POM without such a tree stays unchanged.
 */
export const settlePoms = (files: readonly ProjectFile[]): readonly ProjectFile[] => {
  const trees = files.filter(({ content }) => content?.format === 'maven-list');
  return files.map((file) => {
    const { path, content } = file;
    const [itself] = content?.own ?? [];
    if (content?.format !== 'pom.xml' || !itself) return file;
    const tree = trees.find(
      (one) => folderOf(one.path) === folderOf(path) && one.content?.own.includes(itself),
    );
    return tree?.content ? { ...file, content: settle(content, tree.content) } : file;
  });
};

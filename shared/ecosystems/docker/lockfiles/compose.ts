import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsOf,
  membersOf,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { parseYamlTrees } from '../../lockfiles/syntax/yaml.ts';
import { listDockerfileImages } from './dockerfile.ts';
import { expand, type Lookup } from './expand.ts';
import { type ImageSite, readImage, type Written } from './image.ts';

/** Finds no variable: only the environment of the user who runs Compose sets their values. */
const lookup: Lookup = () => undefined;

type Member = (tree: SyntaxNode, name: string) => SyntaxNode | undefined;

/** Returns a function that finds a member, also one merged by `<<`. Results are cached by mapping and name. */
const prepareMembers = (): Member => {
  const known = new Map<SyntaxNode['content'], Map<string, SyntaxNode | undefined>>();
  const find: Member = (tree, name) => {
    const names = known.get(tree.content) ?? new Map<string, SyntaxNode | undefined>();
    known.set(tree.content, names);
    if (names.has(name)) return names.get(name);
    const merged = findAt(tree, '<<');
    const others = merged ? [merged, ...itemsOf(merged)] : [];
    const found = findAt(tree, name) ?? others.map((other) => find(other, name)).find((one) => one);
    names.set(name, found);
    return found;
  };
  return find;
};

/** Returns the trimmed text of a value, with its offset in the file. */
const writtenOf = (tree: SyntaxNode | undefined): Written => {
  const text = textOf(tree) ?? '';
  const offset = typeof tree?.content === 'string' ? tree.content.indexOf(text) : 0;
  return { text, at: tree?.at === undefined ? undefined : tree.at + offset };
};

const readValue = (tree: SyntaxNode | undefined, line = tree?.line): ImageSite =>
  readImage(writtenOf(tree), line, lookup);

const contextStart = /^(?:[^=/]*=)?docker-image:\/\//;

/** Returns the images in `additional_contexts`, which is a mapping or a list of `name=address`. */
const listContexts = (build: SyntaxNode | undefined): ImageSite[] => {
  const contexts = findAt(build, 'additional_contexts');
  const texts = [...membersOf(contexts).values(), ...itemsOf(contexts)];
  return texts.flatMap((tree) => {
    const { text, at } = writtenOf(tree);
    const [start] = contextStart.exec(text) ?? [];
    if (start === undefined) return [];
    const image = {
      text: text.slice(start.length),
      at: at === undefined ? undefined : at + start.length,
    };
    return readImage(image, tree.line, lookup);
  });
};

/** Returns the images of a Dockerfile in the Compose file, whose offsets and indentation follow from YAML. */
const listInline = (build: SyntaxNode | undefined): ImageSite[] => {
  const inline = findAt(build, 'dockerfile_inline');
  const text = inline && textOf(inline);
  if (!text) return [];
  return listDockerfileImages(text).map((site) => ({
    ...site,
    found: { ...site.found, line: inline.line },
    end: 'inline',
  }));
};

/** Returns the images of volumes with the type `image`. */
const listVolumes = (volumes: SyntaxNode | undefined): ImageSite[] =>
  itemsOf(volumes)
    .filter((volume) => textAt(volume, 'type') === 'image')
    .map((volume) => readValue(findAt(volume, 'source'), volume.line));

/** Returns an unpinned entry for an included file; an empty list without a path. */
const listIncluded = (tree: SyntaxNode | undefined, path: string | undefined): ImageSite[] =>
  path === undefined
    ? []
    : [
        {
          found: { text: path, reason: 'include', line: tree?.line },
          ...{ written: path, end: 'include' },
        },
      ];

/** Returns the images that a service runs or is built from. The image that its build creates is the project's own. */
const readService = (
  service: SyntaxNode,
  member: Member,
): { found: ImageSite[]; own: string[] } => {
  const [image, build, extended] = ['image', 'build', 'extends'].map((name) =>
    member(service, name),
  );
  const reference = textOf(image);
  const found = [
    ...(reference && !build ? [readValue(image)] : []),
    ...listContexts(build),
    ...listInline(build),
    ...listVolumes(member(service, 'volumes')),
    ...listIncluded(extended, textAt(extended, 'file')),
  ];
  return { found, own: reference && build ? [expand(reference, lookup) ?? reference] : [] };
};

/** Returns the models of AI that services use. Their digests have no place in a Compose file. */
const listModels = (file: SyntaxNode | undefined): ImageSite[] =>
  [...membersOf(findAt(file, 'models')).values()].flatMap((model) => {
    const reference = findAt(model, 'model');
    return textOf(reference) ? [{ ...readValue(reference, model.line), end: 'model' }] : [];
  });

const readFile = (file: SyntaxNode | undefined): { found: ImageSite[]; own: string[] } => {
  const services = membersOf(findAt(file, 'services'));
  const included = itemsOf(findAt(file, 'include'));
  if (services.size === 0 && included.length === 0) {
    throw new UnreadableDependencyFileError('It is no Compose file: it has no services.');
  }
  const member = prepareMembers();
  const read = [...services.values()].map((service) => readService(service, member));
  const paths = included.flatMap((one) => {
    const path = findAt(one, 'path');
    return (path ? [path, ...itemsOf(path)] : [one]).flatMap((each) =>
      listIncluded(one, textOf(each)),
    );
  });
  return {
    found: [...read.flatMap(({ found }) => found), ...listModels(file), ...paths],
    own: read.flatMap(({ own }) => own),
  };
};

/** Returns the references to images in a Compose file, with lines counted from 1. */
export const listComposeImages = (text: string): ImageSite[] =>
  readFile(parseYamlTrees(text, { keepsOffsets: true })[0]).found;

const read = (text: string): Contents => {
  const { found, own } = readFile(parseYamlTrees(text)[0]);
  return gather(
    found.map((site) => site.found),
    own,
  );
};

export const compose: FormatReader = {
  format: 'compose.yaml',
  named: /(?:^|\/)(?:docker-|podman-)?compose(?:[.-][^/]+)?\.ya?ml$/,
  read,
};

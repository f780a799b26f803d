import { UnreadableDependencyFileError } from '../../lockfiles/dependency-file.ts';
import type { Contents, FormatReader } from '../../lockfiles/format-reader.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import {
  findAt,
  itemsOf,
  membersOf,
  type SyntaxNode,
  textAt,
  textOf,
} from '../../lockfiles/syntax/syntax-node.ts';
import { parseYamlTrees } from '../../lockfiles/syntax/yaml.ts';
import { listImages } from './dockerfile.ts';
import { expand, type Lookup } from './expand.ts';
import { readImage } from './image.ts';

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

const dockerImage = 'docker-image://';

/** Returns the images in `additional_contexts`, which is a mapping or a list of `name=address`. */
const listContexts = (build: SyntaxNode | undefined): Found[] => {
  const contexts = findAt(build, 'additional_contexts');
  const texts = [...membersOf(contexts).values(), ...itemsOf(contexts)];
  return texts.flatMap((tree) => {
    const address = (textOf(tree) ?? '').replace(/^[^=/]*=/, '');
    if (!address.startsWith(dockerImage)) return [];
    return readImage(address.slice(dockerImage.length), tree.line, lookup);
  });
};

const listInline = (build: SyntaxNode | undefined): Found[] => {
  const inline = findAt(build, 'dockerfile_inline');
  const text = inline && textOf(inline);
  return text ? listImages(text).map((found) => ({ ...found, line: inline.line })) : [];
};

/** Returns the images of volumes with the type `image`. */
const listVolumes = (volumes: SyntaxNode | undefined): Found[] =>
  itemsOf(volumes)
    .filter((volume) => textAt(volume, 'type') === 'image')
    .map((volume) => readImage(textAt(volume, 'source') ?? '', volume.line, lookup));

/** Returns an unpinned entry for an included file; an empty list without a path. */
const listIncluded = (tree: SyntaxNode | undefined, path: string | undefined): Found[] =>
  path === undefined ? [] : [{ text: path, reason: 'include', line: tree?.line }];

/** Returns the images that a service runs or is built from. The image that its build creates is the project's own. */
const readService = (service: SyntaxNode, member: Member): { found: Found[]; own: string[] } => {
  const [image, build, extended] = ['image', 'build', 'extends'].map((name) =>
    member(service, name),
  );
  const reference = textOf(image);
  const found = [
    ...(reference && !build ? [readImage(reference, image?.line, lookup)] : []),
    ...listContexts(build),
    ...listInline(build),
    ...listVolumes(member(service, 'volumes')),
    ...listIncluded(extended, textAt(extended, 'file')),
  ];
  return { found, own: reference && build ? [expand(reference, lookup) ?? reference] : [] };
};

const read = (text: string): Contents => {
  const [file] = parseYamlTrees(text);
  const services = membersOf(findAt(file, 'services'));
  const included = itemsOf(findAt(file, 'include'));
  if (services.size === 0 && included.length === 0) {
    throw new UnreadableDependencyFileError('It is no Compose file: it has no services.');
  }
  const member = prepareMembers();
  const read = [...services.values()].map((service) => readService(service, member));
  const models = [...membersOf(findAt(file, 'models')).values()].flatMap((model) => {
    const reference = textAt(model, 'model');
    return reference ? [readImage(reference, model.line, lookup)] : [];
  });
  const paths = included.flatMap((one) => {
    const path = findAt(one, 'path');
    return (path ? [path, ...itemsOf(path)] : [one]).flatMap((each) =>
      listIncluded(one, textOf(each)),
    );
  });
  return gather(
    [...read.flatMap(({ found }) => found), ...models, ...paths],
    read.flatMap(({ own }) => own),
  );
};

export const compose: FormatReader = {
  format: 'compose.yaml',
  named: /(?:^|\/)(?:docker-|podman-)?compose(?:[.-][^/]+)?\.ya?ml$/,
  read,
};

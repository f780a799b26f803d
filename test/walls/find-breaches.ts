import { cruise, type ICruiseResult, type IDependency } from 'dependency-cruiser';
import { rooms } from './rooms.ts';

/** An import that no room allows, or that closes a circle: `from → to`. */
export interface Breach {
  readonly from: string;
  readonly to: string;
  readonly kind: 'import' | 'circle';
}

const ignored = /^\.\.|(^|\/)(node_modules|dist|cdk\.out)(\/|$)/;

const findRoom = (path: string): string | undefined =>
  Object.keys(rooms).find((name) => rooms[name]?.files.test(path));

/** The one package of this project: everybody else comes in by its entry. */
const workspace = 'local-aws';

/** A package of types alone has nothing to resolve to. */
const isPackage = ({ dependencyTypes, module, couldNotResolve }: IDependency): boolean =>
  module !== workspace &&
  (couldNotResolve || dependencyTypes.some((type) => type.startsWith('npm') || type === 'core'));

/** Where the import leads in this project. */
const findTarget = ({ module, resolved }: IDependency): string =>
  module === workspace ? `${workspace}/index.ts` : resolved;

/** `zod` for `zod/v4`, `@aws-sdk/client-dynamodb` for what is inside it; Node's own modules keep their paths. */
const findPackage = ({ module, resolved, dependencyTypes }: IDependency): string => {
  if (dependencyTypes.includes('core')) return module;
  const [, name = module] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(resolved) ?? [];
  return name.replace(/^@types\//, '');
};

const isAllowed = (from: string, dependency: IDependency): boolean => {
  const room = findRoom(from);
  const allowed = room === undefined ? undefined : rooms[room];
  if (!allowed) return false;
  if (isPackage(dependency)) return allowed.packages.includes(findPackage(dependency));
  const target = findRoom(findTarget(dependency));
  if (target === room) return true;
  const isByEntry = target !== workspace || dependency.module === workspace;
  return target !== undefined && isByEntry && allowed.rooms.includes(target);
};

/** Every import that breaks a wall below this folder, types included. */
export const findBreaches = async (
  baseDir: string,
  folders: readonly string[],
): Promise<Breach[]> => {
  const { output } = await cruise([...folders], {
    baseDir,
    parser: 'swc',
    tsPreCompilationDeps: true,
    exclude: { path: ['(^|/)(dist|cdk\\.out)/'] },
    doNotFollow: { path: ['node_modules'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  });
  const { modules } = output as ICruiseResult;
  return modules
    .filter(({ source }) => /\.(tsx?|mjs)$/.test(source) && !ignored.test(source))
    .filter(({ source }) => !source.startsWith('local-aws/test/'))
    .flatMap(({ source: from, dependencies }) =>
      dependencies.flatMap((dependency): Breach[] => {
        const to = isPackage(dependency) ? findPackage(dependency) : findTarget(dependency);
        return [
          ...(isAllowed(from, dependency) ? [] : [{ from, to, kind: 'import' as const }]),
          ...(dependency.circular ? [{ from, to, kind: 'circle' as const }] : []),
        ];
      }),
    );
};

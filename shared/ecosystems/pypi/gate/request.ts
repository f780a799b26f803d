import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { decodeUri } from '../../../util/decode-uri.ts';

/** What pip, uv and poetry ask for. */
export type PypiRequest =
  | { readonly kind: 'project'; readonly name: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly version: string;
      readonly filename: string;
      /** Whether it is not the file but its metadata alone (PEP 658). */
      readonly isMetadata: boolean;
    };

const metadataEnd = /\.metadata$/;

const readFile = ([name = '', version = '', file = '']: readonly string[]) => {
  if (!isPackageName('pypi', name) || !isPackageVersion('pypi', version)) return undefined;
  const filename = file.replace(metadataEnd, '');
  return { kind: 'file', name, version, filename, isMetadata: filename !== file } as const;
};

/** What a path below the gate's own asks for; undefined for what the gate does not serve. */
export const readPypiRequest = (path: string): PypiRequest | undefined => {
  const [kind, ...parts] = decodeUri(path).replace(/\/$/, '').split('/');
  const [name = ''] = parts;
  if (kind === 'simple' && parts.length === 1) {
    return isPackageName('pypi', name) ? { kind: 'project', name } : undefined;
  }
  return kind === 'files' && parts.length === 3 ? readFile(parts) : undefined;
};

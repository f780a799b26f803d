import { isPackageName } from '../../../domain/packages/package-name.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { decodeUri } from '../../../util/decode-uri.ts';

/** A request of pip, uv or Poetry to the gate. */
export type PypiRequest =
  | { readonly kind: 'project'; readonly name: string }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly version: string;
      readonly filename: string;
      /** True for a request of the file's metadata only (PEP 658). */
      readonly isMetadata: boolean;
    };

const metadataEnd = /\.metadata$/;

const readFile = ([name = '', version = '', file = '']: readonly string[]) => {
  if (!isPackageName('pypi', name) || !isPackageVersion('pypi', version)) return undefined;
  const filename = file.replace(metadataEnd, '');
  return { kind: 'file', name, version, filename, isMetadata: filename !== file } as const;
};

/** Returns the request for a path below the gate; undefined if the gate does not serve the path. */
export const readPypiRequest = (path: string): PypiRequest | undefined => {
  const [kind, ...parts] = decodeUri(path).replace(/\/$/, '').split('/');
  const [name = ''] = parts;
  if (kind === 'simple' && parts.length === 1) {
    return isPackageName('pypi', name) ? { kind: 'project', name } : undefined;
  }
  return kind === 'files' && parts.length === 3 ? readFile(parts) : undefined;
};

import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import type { VersionId } from '../address/version-id.ts';
import { CopyButton } from '../parts/copy-button.tsx';

interface CopyNamesProps {
  readonly id: VersionId;
  /** The package URL; undefined until it is loaded. */
  readonly purl: string | undefined;
}

/** Buttons that copy `name@version` and the package URL of a version. */
export const CopyNames = ({ id: { name, version }, purl }: CopyNamesProps) => (
  <span class="copy-names">
    <CopyButton
      text={formatPackage({ name, version })}
      what="the name and version"
      label="Copy name@version"
    />
    {purl !== undefined && <CopyButton text={purl} what="the package URL" label="Copy purl" />}
  </span>
);

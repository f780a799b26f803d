import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import { formatPurl } from '../../shared/domain/packages/format-purl.ts';
import type { VersionId } from '../address/version-id.ts';
import { CopyButton } from '../parts/copy-button.tsx';

/** Buttons that copy `name@version` and the package URL of a version. */
export const CopyNames = ({ id }: { readonly id: VersionId }) => {
  const { name, version } = id;
  const purl = formatPurl(id);
  return (
    <span class="copy-names">
      <CopyButton
        text={formatPackage({ name, version })}
        what="the name and version"
        label="Copy name@version"
      />
      <CopyButton text={purl} what="the package URL" label="Copy purl" />
    </span>
  );
};

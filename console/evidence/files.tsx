import { useState } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Line } from '../parts/text.tsx';
import { Section } from './section.tsx';

type Known = NonNullable<VersionEvidence['files']>;

const shownFirst = 3;

const File = ({ file, digest }: Known['files'][number]) => (
  <li>
    <Line text={file} />
    {digest === null ? (
      <span class="muted">no digest from upstream</span>
    ) : (
      <>
        <code title={digest}>{digest}</code>
        <CopyButton text={digest} what={`the digest of ${file}`} />
      </>
    )}
  </li>
);

const List = ({ files: { pinned, total, files } }: { readonly files: Known }) => {
  const [isExpanded, setExpanded] = useState(false);
  const shown = isExpanded ? files : files.slice(0, shownFirst);
  return (
    <>
      <p class="muted">
        {pinned ? 'Pinned by the approval' : 'An approval pins these files'}
        {total > files.length && `. The first ${files.length} of ${total} files:`}
      </p>
      <ul class="digests">
        {shown.map((one) => (
          <File key={one.file} {...one} />
        ))}
      </ul>
      {files.length > shownFirst && (
        <button type="button" class="plain" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Show fewer files' : `Show ${files.length - shownFirst} more files`}
        </button>
      )}
    </>
  );
};

/** The files of the version, with the digests that an approval pins. */
export const Files = ({ files }: { readonly files: VersionEvidence['files'] }) => (
  <Section title="Files" id="files">
    {files ? (
      <List files={files} />
    ) : (
      <p class="muted">No digests yet, because the files are not known yet.</p>
    )}
  </Section>
);

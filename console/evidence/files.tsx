import { useState } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import { Line } from '../parts/text.tsx';
import { announce } from '../state/announcements.ts';
import { Section } from './section.tsx';

type Known = NonNullable<VersionEvidence['files']>;

const shownFirst = 3;

const copy = async (file: string, digest: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(digest);
    announce(`Copied the digest of ${file}.`);
  } catch {
    announce('The browser blocked copying. Click the digest to select it.');
  }
};

const File = ({ file, digest }: Known['files'][number]) => (
  <li>
    <Line text={file} />
    {digest === null ? (
      <span class="muted">no digest from upstream</span>
    ) : (
      <>
        <code title={digest}>{digest}</code>
        <button
          type="button"
          class="plain"
          aria-label={`Copy the digest of ${file}`}
          onClick={() => copy(file, digest)}
        >
          Copy
        </button>
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

import { useRef, useState } from 'preact/hooks';
import type { ProjectFile } from '../../../shared/use-cases/dependency-check/findings.ts';
import { settleFiles } from '../../../shared/use-cases/dependency-check/settle-files.ts';
import { useQuery } from '../../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { useStale } from '../../parts/use-stale.ts';
import { useSession } from '../../session/session.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import { type Checked, checkFiles } from './check-files.ts';
import { CheckResult } from './check-result.tsx';
import { readFiles } from './read-files.ts';
import { SubmitMissing } from './submit-missing.tsx';

interface Dropped {
  /** Tells one set of files from the next. */
  readonly round: number;
  readonly files: readonly ProjectFile[];
}

const Files = ({
  files,
  clear,
}: {
  readonly files: readonly ProjectFile[];
  readonly clear: () => void;
}) => (
  <p class="checked-files">
    {files.map(({ path }, at) => (
      <span key={path}>
        {at > 0 && ', '}
        <Line text={path} />
      </span>
    ))}{' '}
    <button type="button" class="plain" onClick={clear}>
      Start over
    </button>
  </p>
);

/** How far content and sources were compared. */
const Compared = ({ checked: { contents, sources } }: { readonly checked: Checked }) => {
  const left = contents.unknown + contents.without_hash;
  const allowed = sources.filter((source) => source.allowed);
  return (
    <>
      {left > 0 && (
        <p class="muted">
          The content of {left.toLocaleString('en')} was not compared: the files have no hash of{' '}
          {contents.without_hash.toLocaleString('en')}, the registry knows no files of{' '}
          {contents.unknown.toLocaleString('en')}.
        </p>
      )}
      {allowed.map(({ file, line, address }) => (
        <p class="muted" key={`${file} ${address}`}>
          <Line text={`${file}:${line ?? 1}`} />: packages are looked for at <Line text={address} />
          , which is allowed.
        </p>
      ))}
    </>
  );
};
/** The files that cannot have everything that is installed, how to get whole ones, and what to know of the others. */
const Incomplete = ({ files }: { readonly files: readonly ProjectFile[] }) => (
  <>
    {files.map(({ path, content: { incomplete, note } = {} }) =>
      (incomplete ?? note) === undefined ? null : (
        <p key={path} class="muted">
          <Line text={path} />: <Text text={incomplete ?? note ?? ''} />
        </p>
      ),
    )}
  </>
);

/** What the files come to, as the registry stands now: it is asked anew when somebody decides. */
const Outcome = ({ dropped: { round, files } }: { readonly dropped: Dropped }) => {
  const { api } = useSession();
  const happened = useListRefreshes();
  const { value, error, reload } = useQuery<Checked>(`${round} ${happened}`, (signal) =>
    checkFiles(api, files, signal),
  );
  const checked = useStale(value);
  if (error) return <ErrorMessage error={error} retry={reload} />;
  if (!checked) return <Skeleton lines={6} label="Asking about every version" />;
  return (
    <>
      <Incomplete files={files} />
      <SubmitMissing unknown={checked.unknown} reload={reload} />
      <CheckResult findings={checked.findings} />
      <Compared checked={checked} />
    </>
  );
};

/** Whether a project may use what its lockfiles and bills of materials name. */
const Check = () => {
  // As they were read: what others settle may change with each file that comes.
  const [dropped, setDropped] = useState<Dropped>({ round: 0, files: [] });
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { round, files } = dropped;
  const take = async (given: readonly File[]): Promise<void> => {
    if (given.length === 0) return;
    const read = await readFiles(given);
    const paths = new Set(read.map(({ path }) => path));
    setDropped((before) => ({
      round: before.round + 1,
      files: [...before.files.filter(({ path }) => !paths.has(path)), ...read],
    }));
  };
  const clear = (): void => {
    setDropped({ round: round + 1, files: [] });
    field.current?.focus();
  };
  return (
    <section
      class={`check ${isOver ? 'over' : ''}`}
      aria-label="Check a project"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void take([...(event.dataTransfer?.files ?? [])]);
      }}
    >
      <label class="drop">
        <span class="drop-title">Drop lockfiles or bills of materials here, or choose them</span>
        <input
          ref={field}
          class="visually-hidden"
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void take([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
        <span class="button">Choose files</span>
        <span class="muted">
          package-lock.json, pnpm-lock.yaml, yarn.lock, requirements.txt, poetry.lock, uv.lock,
          pom.xml, Dockerfile, CycloneDX, SPDX and others. They are read here; the registry is asked
          about names, versions and hashes alone.
        </span>
      </label>
      {files.length > 0 && (
        <>
          <Files files={files} clear={clear} />
          <Outcome key={round} dropped={{ round, files: settleFiles(files) }} />
        </>
      )}
    </section>
  );
};

export default Check;

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

/** The files that the user chose. */
interface ChosenFiles {
  /** Changes with each choice. */
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

/** Which contents and sources were not compared, or are allowed by a rule. */
const Compared = ({ checked: { contents, sources } }: { readonly checked: Checked }) => {
  const left = contents.unknown + contents.without_hash;
  const allowed = sources.filter((source) => source.allowed);
  return (
    <>
      {left > 0 && (
        <p class="muted">
          The content of {left.toLocaleString('en')} versions was not compared: the lockfiles have
          no hash for {contents.without_hash.toLocaleString('en')}, and the registry does not know
          the files of {contents.unknown.toLocaleString('en')}.
        </p>
      )}
      {allowed.map(({ file, line, address }) => (
        <p class="muted" key={`${file} ${address}`}>
          <Line text={`${file}:${line ?? 1}`} />: packages come from <Line text={address} />, which
          is allowed.
        </p>
      ))}
    </>
  );
};
/** The files that are incomplete, with what to do, and the notes on other files. */
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

/** The result of the check. It runs again after each decision. */
const CheckOutcome = ({ chosen: { round, files } }: { readonly chosen: ChosenFiles }) => {
  const { api } = useSession();
  const happened = useListRefreshes();
  const { value, error, reload } = useQuery<Checked>(`${round} ${happened}`, (signal) =>
    checkFiles(api, files, signal),
  );
  const checked = useStale(value);
  if (error) return <ErrorMessage error={error} retry={reload} />;
  if (!checked) return <Skeleton lines={6} label="Checking all versions" />;
  return (
    <>
      <Incomplete files={files} />
      <SubmitMissing missing={checked.missing} reload={reload} />
      <CheckResult findings={checked.findings} />
      <Compared checked={checked} />
    </>
  );
};

/** The view that checks whether a project may use the packages of its lockfiles and SBOMs. */
export const Check = () => {
  // Not settled yet: a further file may settle a question about another one.
  const [chosen, setChosen] = useState<ChosenFiles>({ round: 0, files: [] });
  const [isOver, setOver] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { round, files } = chosen;
  const take = async (given: readonly File[]): Promise<void> => {
    if (given.length === 0) return;
    const read = await readFiles(given);
    const paths = new Set(read.map(({ path }) => path));
    setChosen((before) => ({
      round: before.round + 1,
      files: [...before.files.filter(({ path }) => !paths.has(path)), ...read],
    }));
  };
  const clear = (): void => {
    setChosen({ round: round + 1, files: [] });
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
        <span class="drop-title">Drop lockfiles or SBOMs here, or choose files</span>
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
          pom.xml, Dockerfile, CycloneDX, SPDX and others. The browser reads the files. It sends
          only names, versions and hashes to the registry.
        </span>
      </label>
      {files.length > 0 && (
        <>
          <Files files={files} clear={clear} />
          <CheckOutcome key={round} chosen={{ round, files: settleFiles(files) }} />
        </>
      )}
    </section>
  );
};

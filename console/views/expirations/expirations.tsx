import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Time } from '../../parts/time.tsx';
import { useLivePages } from '../../parts/use-live-pages.ts';
import { VersionsList } from '../../parts/versions-list.tsx';
import { useSession } from '../../session/session.ts';

const pageSize = 100;

/** The view of approvals with an expiry date, the next one first. */
export const Expirations = () => {
  const { api } = useSession();
  const { pages, error, isLoading, reload, showMore } = useLivePages(
    'expirations',
    (after, signal) =>
      api.listExpirations(
        { query: { limit: pageSize, ...(after !== undefined && { after }) } },
        { signal },
      ),
  );
  return (
    <section class="page" aria-labelledby="expirations-title">
      <h2 id="expirations-title">Expiring approvals</h2>
      <p class="muted">Renew an approval before it expires: afterwards, the version is pending.</p>
      {pages.length > 0 && (
        <VersionsList
          versions={pages.flatMap(({ expirations }) => expirations)}
          describe={({ expires_at }) => (
            <>
              expires <Time at={expires_at} />, on <Time at={expires_at} as="day" />
            </>
          )}
          empty="No approval has an expiry date."
          more={<ShowMore {...{ showMore, isLoading }} />}
        />
      )}
      {error && <ErrorMessage error={error} retry={reload} />}
      {isLoading && !error && pages.length === 0 && (
        <Skeleton lines={8} label="Loading the approvals" />
      )}
    </section>
  );
};

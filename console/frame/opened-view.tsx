import type { ComponentType } from 'preact';
import { useEffect, useErrorBoundary, useState } from 'preact/hooks';
import { useReconnectCount } from '../api/connection.ts';
import { EmptyState, Skeleton } from '../parts/placeholders.tsx';
import type { ViewProps } from '../views/view-props.ts';
import { findView } from '../views/views.ts';

type Loaded = { readonly Content: ComponentType<ViewProps> } | 'loading' | 'failed';

/** A view with an error boundary: an error in it leaves the rest of the page working. */
const Guarded = ({
  Content,
  address,
}: ViewProps & { readonly Content: ComponentType<ViewProps> }) => {
  const [error, recover] = useErrorBoundary();
  if (!error) return <Content address={address} />;
  return (
    <EmptyState title="This view stopped working">
      The console has an error.{' '}
      <button type="button" onClick={recover}>
        Open the view again
      </button>
    </EmptyState>
  );
};

/** The view of an address, which loads its script first. */
export const OpenedView = ({ address }: ViewProps) => {
  const view = findView(address.view);
  const load = view?.load;
  const [loaded, setLoaded] = useState<Loaded>('loading');
  const returns = useReconnectCount();
  useEffect(() => {
    // Browsers do not load a failed module again without a reload of the page.
    if (loaded === 'failed') location.reload();
  }, [returns]);
  useEffect(() => {
    let isGone = false;
    load?.().then(
      (Content) => !isGone && setLoaded({ Content }),
      () => !isGone && setLoaded('failed'),
    );
    return () => {
      isGone = true;
    };
  }, [load]);
  if (!view) {
    return (
      <EmptyState title="This page does not exist">
        <a href="#/queue">Go to the queue</a>
      </EmptyState>
    );
  }
  if (loaded === 'loading') return <Skeleton lines={8} label="Loading" />;
  if (loaded === 'failed') {
    return (
      <EmptyState title="This view could not be loaded">
        The registry cannot be reached, or has a newer version of the console. The view opens when
        the registry can be reached again.{' '}
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </EmptyState>
    );
  }
  const { Content } = loaded;
  return <Guarded Content={Content} address={address} />;
};

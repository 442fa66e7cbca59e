import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Session } from '../../edge/access/contract/session.ts';
import { sessionQuery, signIn, signOut } from '../api/session-client.ts';

/** Who one is, or undefined until the gateway has said so. */
export const useSession = (): Session | undefined => useQuery(sessionQuery).data;

/** Whether one may administer the platform; unknown counts as no. */
/** Whether one may end or change what belongs to somebody, as the services decide it. */
export function useMayChange({ owner, team }: { readonly owner: string; readonly team: string }) {
  const session = useSession();
  if (!session) return false;
  const { id, kind, scopes } = session;
  if (scopes.includes('admin')) return true;
  const isOwn = owner === (id ?? kind) || owner === `token:${id}`;
  return session.team === team && (isOwn || scopes.includes('team:admin'));
}

export const useIsAdmin = (): boolean => useSession()?.scopes.includes('admin') ?? false;

/** Signs in and out. Data shown to the previous user is removed from memory. */
export function useSigning() {
  const queries = useQueryClient();
  return {
    async signIn(key: string) {
      const session = await signIn(key);
      forgetAnswers(queries);
      queries.setQueryData(sessionQuery.queryKey, session);
    },
    async signOut() {
      await signOut();
      const { kind } = await queries.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (kind === 'anonymous') forgetAnswers(queries);
      else await queries.resetQueries({ predicate: isOfSomebody });
    },
  };
}

const forgetAnswers = (queries: QueryClient) => queries.removeQueries({ predicate: isOfSomebody });

const isOfSomebody = ({ queryKey: [first] }: { readonly queryKey: readonly unknown[] }) =>
  first !== 'session' && first !== 'health';

import { useSearch } from 'wouter';

/** The query string of the page. The router decodes it twice, which loses percent signs. */
export function useQuery(): URLSearchParams {
  useSearch();
  return new URLSearchParams(window.location.search);
}

export const useQueryValue = (name: string): string => useQuery().get(name) ?? '';

import { useSearch } from 'wouter';

/** What the address of the page says after its question mark. The router would decode it twice, and a per cent sign would be lost. */
export function useQuery(): URLSearchParams {
  useSearch();
  return new URLSearchParams(window.location.search);
}

export const useQueryValue = (name: string): string => useQuery().get(name) ?? '';

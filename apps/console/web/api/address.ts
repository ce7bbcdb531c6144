import { useSearch } from 'wouter';

/** What the address of the page says after its question mark. The router would decode it twice, and a per cent sign would be lost. */
export function useQueryValue(name: string): string {
  useSearch();
  return new URLSearchParams(window.location.search).get(name) ?? '';
}

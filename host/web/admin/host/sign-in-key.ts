const place = "slipway-key";

/** The key that the page sends; it lasts as long as the tab. */
export const signInKey = {
  read: (): string | undefined => sessionStorage.getItem(place) ?? undefined,
  keep: (key: string): void => sessionStorage.setItem(place, key),
  forget: (): void => sessionStorage.removeItem(place),
};

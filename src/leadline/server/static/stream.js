// The events of a run as they happen. A browser has six connections to a server for all its tabs: at most four are held, so
// that pages still load; a tab that gets none looks every two seconds.

const SLOTS = 4;

/** Takes one of the places that all tabs share; null when there is none left, or no way to share them. */
async function takePlace() {
  for (let n = 0; n < SLOTS && navigator.locks; n += 1) {
    const free = await new Promise((resolve) => {
      navigator.locks.request(`leadline-stream-${n}`, { ifAvailable: true }, (lock) => {
        if (lock) return new Promise(resolve);
        resolve(null);
        return null;
      }).catch(() => resolve(null));
    });
    if (free) return free;
  }
  return null;
}

/**
 * Follows a run from an event on, if there is a place; `news` is called for what happens, `ended` when the stream is over.
 * Returns what closes the stream, or null.
 */
export async function follow(url, after, news, ended) {
  const free = await takePlace();
  if (!free) return null;
  const source = new EventSource(`${url}?after=${after}`);
  let done = false;
  const close = () => {
    source.close();
    free();
  };
  source.addEventListener("message", (event) => {
    done = JSON.parse(event.data).type === "done";
    news();
  });
  source.addEventListener("error", () => {
    if (done || source.readyState === EventSource.CLOSED) {
      close();
      ended();
    } else news(); // it comes back by itself; meanwhile the page finds out whether the server is there
  });
  return close;
}

/** A map with at most `limit` entries. It drops the least recently used entries. @template K @template V @extends {Map<K, V>} */
export class LruMap extends Map {
  /** @param {number} limit */
  constructor(limit) {
    super();
    this.limit = limit;
  }

  /** @param {K} key @returns {V|undefined} */
  get(key) {
    const value = super.get(key);
    if (this.delete(key)) super.set(key, /** @type {V} */ (value));
    return value;
  }

  /** @param {K} key @param {V} value */
  set(key, value) {
    this.delete(key);
    super.set(key, value);
    for (const oldest of this.keys()) if (this.size > this.limit) this.delete(oldest);
    return this;
  }
}

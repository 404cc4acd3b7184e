"""Scripts that tests run in the page, to inspect the page or to add a wallet to it."""

BOARD = """match => {
  const { hashAt, boardAt, ...rest } = window.chainboard.boards[match];
  return rest;
}"""

HASHES = """match => {
  const { seqs, hashAt } = window.chainboard.boards[match];
  return seqs.map(seq => [seq, hashAt(seq)]);
}"""

TRANSACTIONS = "() => window.chainboard.state.transactions"

STORED_TX_STATES = """async () => {
  const ask = request => new Promise((done, fail) =>
    Object.assign(request, { onsuccess: () => done(request.result), onerror: fail }));
  const base = await ask(indexedDB.open('chainboard'));
  const states = (await ask(base.transaction('transactions').objectStore('transactions').getAll())).map(tx => tx.state);
  base.close();
  return states.sort();
}"""

SMALL_TEXT = """() => [...document.querySelectorAll('#page *')]
  .filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
  .filter(e => parseFloat(getComputedStyle(e).fontSize) < 12)
  .map(e => e.outerHTML.slice(0, 80))"""

MIN_SHIFT = 0.05
OBSERVE_SHIFTS = """window.shifts = [];
new PerformanceObserver(list => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts.push(value);
}).observe({ type: 'layout-shift', buffered: true });"""
TOTAL_SHIFT = "() => window.shifts.reduce((sum, one) => sum + one, 0)"

ORANGE_PIXELS = """() => {
  const canvas = document.querySelector('#board canvas');
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i] === 230 && data[i + 1] === 159 && data[i + 2] === 0) found++;
  return found;
}"""

WATCH_MOTION = """() => {
  const animate = Element.prototype.animate;
  window.durations = [];
  Element.prototype.animate = function (frames, options) {
    if (this.matches('.body')) window.durations.push(options.duration); // a volley's splashes may still be on their way
    return animate.call(this, frames, options);
  };
}"""

REJECTING_WALLET = """name => {
  const provider = { request: async () => { throw Object.assign(new Error(name), { code: 4001 }); } };
  const detail = { info: { uuid: '1', name }, provider };
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
}"""

WALLET = """([url, genesis]) => {
  let added = false;
  window.asked = [];
  const rpc = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch(url + '/api/rpc', { method: 'POST', headers, body })).json()).result;
  };
  const fail = (code, text) => { throw Object.assign(new Error(text), { code }); };
  const answers = {
    eth_requestAccounts: () => ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8'],
    eth_accounts: () => answers.eth_requestAccounts(),
    eth_chainId: () => rpc('eth_chainId', []),
    wallet_switchEthereumChain: () => (added ? null : fail(4902, 'Unrecognized chain')),
    wallet_addEthereumChain: async ([chain]) => {
      added = chain.chainId === await rpc('eth_chainId', []) && chain.rpcUrls[0] === url + '/api/rpc';
      return null;
    },
    eth_getBlockByNumber: async (params) => (genesis ? { hash: genesis } : rpc('eth_getBlockByNumber', params)),
    eth_sendTransaction: async ([order]) => {
      const raw = window.sign ? await window.sign(order) : null;
      return raw ? rpc('eth_sendRawTransaction', [raw]) : fail(4001, 'User rejected the request.');
    },
  };
  const request = async ({ method, params }) => {
    window.asked.push(method);
    return answers[method](params);
  };
  const provider = { request };
  const info = { uuid: 'u', name: 'Test wallet' };
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }));
}"""
"""A script that adds a wallet with the interfaces of EIP-6963 and EIP-1193. At first, the wallet
doesn't know the page's chain, or knows a chain with a different genesis. The wallet calls
`window.sign`, with which the test signs transactions."""

WALLET_OF_NODE = """accounts => {
  const listeners = {};
  const numbered = order => (wallet.nonce === null ? order : { ...order, nonce: wallet.nonce });
  const wallet = {
    accounts, chain: null, nonce: null, signs: null, refusing: {}, asked: [],
    emit: (name, value) => (listeners[name] ?? []).forEach(listener => listener(value)),
  };
  window.wallet = wallet;
  const own = {
    eth_requestAccounts: () => wallet.accounts,
    eth_accounts: () => wallet.accounts,
    eth_chainId: () => wallet.chain ?? window.node('eth_chainId', []),
    wallet_switchEthereumChain: () => { wallet.chain = null; return null; },
    eth_sendTransaction: ([order]) => window.node('eth_sendTransaction', [numbered(order)]),
    eth_signTypedData_v4: ([account, terms]) => window.node('eth_signTypedData_v4', [wallet.signs ?? account, terms]),
  };
  const request = async ({ method, params = [] }) => {
    wallet.asked.push(method);
    const no = wallet.refusing[method];
    if (no) throw Object.assign(new Error(no.message), { code: no.code });
    const answer = await (own[method] ? own[method](params) : window.node(method, params));
    if (answer?.refusal) throw Object.assign(new Error(answer.refusal.message), answer.refusal);
    return answer;
  };
  const on = (name, listener) => { (listeners[name] ??= []).push(listener); };
  const detail = { info: { uuid: 'node', name: 'Test wallet' }, provider: { request, on } };
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
}"""
"""A script that adds a wallet with the node's own accounts. The wallet sends requests to the node
with `window.node(method, params)`. Tests change the wallet's settings in `window.wallet`. Its list
`asked` contains the methods that the page has called."""

NEW_MATCH = """async ([slug, values]) => {
  const button = () => document.querySelector(`main[data-new="${slug}"] #new-match-${slug}:not([disabled])`);
  const sent = () => window.chainboard.state.transactions.length;
  for (let isTaken = false; !isTaken;) {
    while (!button()) {
      location.hash = `#/new/${slug}`;
      await new Promise(done => setTimeout(done, 10));
    }
    for (const [name, value] of Object.entries(values)) {
      const input = document.querySelector(`main [data-input=${name}]`);
      input.value = value;
      for (const event of ['input', 'change']) input.dispatchEvent(new Event(event, { bubbles: true }));
    }
    const before = sent();
    button().click(); // which the page ignores while the match before is on its way, also before it has drawn that
    isTaken = sent() > before;
    if (!isTaken) await new Promise(done => setTimeout(done, 10));
  }
}"""
"""A script that fills in the form for a new match and submits the form as soon as the page allows
it. If the page leaves the form in the meantime, the script opens the form again."""

NOTHING_PENDING = """() => window.chainboard.state.transactions.every(({ state }) =>
  !['waiting', 'simulated', 'signed', 'sent'].includes(state))"""
"""A script that returns true if the page has no pending transaction."""
COVERED_ELEMENTS = """selector => {
  const boxes = found => found.map(one => [one, one.getBoundingClientRect()]);
  const mine = [...document.querySelectorAll(selector)];
  const others = [...document.querySelectorAll('#page :is(button, a, input, summary, #board)')].filter(
    one => one.checkVisibility() && !one.closest('.skip') && !mine.some(it => it.contains(one)));
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes(mine).flatMap(([, box]) => boxes(others).filter(([, other]) => meet(box, other)))
    .map(([one]) => one.id || one.outerHTML.slice(0, 80));
}"""
"""A script that returns the buttons, links, fields and boards that overlap with an element that
matches the selector."""

/**
 * Each entry is applied once, in order, and never edited after it has been released.
 *
 * SQLite leaves moved and deleted content in the file, and the runtime does not allow PRAGMA
 * secure_delete. So personal content is sealed, and its key and its vector are in rows that are
 * overwritten in place (sealing.ts). Everything else is numbers, hashes (sealing.ts) and offsets
 * in the text.
 */
export const MEMORY_MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE memories (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    memory_id TEXT NOT NULL UNIQUE,
    slot INTEGER NOT NULL,
    content_key BLOB NOT NULL,
    user_key BLOB,
    session_key BLOB,
    importance REAL NOT NULL,
    created_at INTEGER NOT NULL,
    valid_at INTEGER NOT NULL,
    invalid_at INTEGER,
    expires_at INTEGER
  );
  CREATE INDEX memories_by_content ON memories (content_key);
  CREATE INDEX memories_by_user ON memories (user_key, seq) WHERE user_key IS NOT NULL;
  CREATE INDEX memories_by_session ON memories (session_key, seq) WHERE session_key IS NOT NULL;
  CREATE INDEX memories_by_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX memories_by_weight ON memories (importance, seq);
  CREATE INDEX memories_by_time ON memories (valid_at);
  CREATE TABLE texts (
    seq INTEGER PRIMARY KEY,
    body BLOB NOT NULL
  );
  CREATE TABLE slots (
    slot INTEGER PRIMARY KEY,
    key BLOB NOT NULL,
    vector BLOB NOT NULL
  );
  CREATE TABLE free_slots (slot INTEGER PRIMARY KEY);
  CREATE TABLE memory_tags (
    tag_key BLOB NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (tag_key, seq)
  ) WITHOUT ROWID;
  CREATE INDEX memory_tags_by_memory ON memory_tags (seq);
  CREATE TABLE causes (
    cause_no INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    cause_node INTEGER NOT NULL,
    effect_node INTEGER NOT NULL,
    relation TEXT NOT NULL,
    confidence REAL NOT NULL,
    language TEXT NOT NULL,
    pattern TEXT NOT NULL,
    spans TEXT NOT NULL
  );
  CREATE INDEX causes_by_memory ON causes (seq);
  CREATE INDEX causes_by_cause ON causes (cause_node, confidence);
  CREATE INDEX causes_by_effect ON causes (effect_node, confidence);
  CREATE VIRTUAL TABLE memory_text USING fts5(text, content = '', tokenize = 'trigram');
  INSERT INTO memory_text (memory_text, rank) VALUES ('secure-delete', 1);
  CREATE VIRTUAL TABLE memory_terms USING fts5vocab(memory_text, row);
  `,
  // The number of memories, without counting rows.
  `
  CREATE TABLE held (memories INTEGER NOT NULL);
  INSERT INTO held SELECT count(*) FROM memories;
  CREATE TRIGGER memory_came AFTER INSERT ON memories
    BEGIN UPDATE held SET memories = memories + 1; END;
  CREATE TRIGGER memory_went AFTER DELETE ON memories
    BEGIN UPDATE held SET memories = memories - 1; END;
  `,
];

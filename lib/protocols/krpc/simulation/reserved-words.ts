// Words that a language of kRPC's clients keeps for itself, or that the code which its clients generate uses.

/** Keywords, and what every object has. kRPC: krpctools/lang */
export const RESERVED_WORDS = {
  'C++ and C': `alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete
    do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
    new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict
    return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try
    typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq
    assert errno linux major minor null stderr stdin stdout unix`,
  'C#': `abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else
    enum event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long
    namespace new null object operator out override params private protected public readonly ref return sbyte sealed short
    sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual
    void volatile while Equals GetHashCode GetType Finalize MemberwiseClone ReferenceEquals ToString`,
  Java: `abstract assert boolean break byte case catch char class const continue default do double else enum extends false
    final finally float for goto if implements import instanceof int interface long native new null package private protected
    public return short static strictfp super switch synchronized this throw throws transient true try void volatile while
    clone equals finalize getClass hashCode notify notifyAll toString wait`,
  Lua: `and break do else elseif end false for function goto if in local nil not or repeat return then true until while self`,
  Python: `False None True and as assert async await break class continue def del elif else except finally for from global if
    import in is lambda nonlocal not or pass raise return try while with yield self cls`,
} as const;

/** Types that generated code names without their namespace, so that a class of this name would hide them. */
export const RESERVED_TYPES = `Any Attribute Boolean Byte ByteString Character ClassBase Client Connection Decoder Deprecated Dict
  Dictionary Encoder Enum Event Exception Float Double HashSet IConnection IDictionary IList IOException ISet
  IllegalArgumentException Int16 Int32 Int64 Integer Iterable KRPC List Long Map Math Number Object Obsolete Optional Override
  RPCAttribute RPCException RPCInfo RemoteEnum RemoteObject Service ServiceBase Set Short Single Stream String SuppressWarnings
  System Tuple Type TypeSpecification UInt16 UInt32 UInt64 Union Void`;

/** Members of a Python client beside its services. */
export const RESERVED_SERVICES = `add_event add_stream close get_call krpc remove_stream start_stream stream types
  add_stream_update_callback remove_stream_update_callback stream_update_condition wait_for_stream_update`;

/** Parameters, and packages, that generated code names in methods. */
export const RESERVED_PARAMETERS = `client com connection default_argument global google instance invoke java krpc org param_names
  param_types return_type return_value std system`;
